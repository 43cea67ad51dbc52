package pulse_pkg;
  localparam int unsigned Steps = `STEPS;
endpackage
