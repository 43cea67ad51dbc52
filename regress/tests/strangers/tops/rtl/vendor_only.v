module vendor_only (
    input wire clk
);
  VENDOR_BUFFER u_buffer (.I(clk));
endmodule
