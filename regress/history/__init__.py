"""The history: a small database of earlier runs, and what they report about the current run."""
