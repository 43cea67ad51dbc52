// everything, in no order that a compiler likes
+incdir+include
+define+STEPS=3
rtl/pulse.sv
rtl/pulse_pkg.sv
