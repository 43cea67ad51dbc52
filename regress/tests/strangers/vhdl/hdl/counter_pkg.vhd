package counter_pkg is
  constant STEP : natural := 1;
end package counter_pkg;
