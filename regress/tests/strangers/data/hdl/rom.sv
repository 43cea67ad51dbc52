module rom (
    input  logic [1:0] address,
    output logic [7:0] word
);
  logic [7:0] memory[0:3];
  initial $readmemh("../mem/rom.hex", memory);
  assign word = memory[address];
endmodule
