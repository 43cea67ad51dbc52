`define POLYNOMIAL 8'h1d
