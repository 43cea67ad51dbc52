module gray #(
    parameter W = 4
) (
    input  wire [W-1:0] binary,
    output wire [W-1:0] code
);
  assign code = binary ^ (binary >> 1);
endmodule
