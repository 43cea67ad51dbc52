"""What earlier runs found: a small database, and what it says about the run at hand."""
