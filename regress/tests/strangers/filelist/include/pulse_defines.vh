`define WIDTH_NS 7
