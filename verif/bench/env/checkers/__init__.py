"""The checks of the scoreboard, free of any simulator: one checker a design on a common base."""
