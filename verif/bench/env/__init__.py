"""The environment: scoreboard, checkers, trace."""
