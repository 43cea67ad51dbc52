"""The checks of the scoreboard: one checker for each design. They need no simulator."""
