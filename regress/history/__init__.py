"""The history: a database of earlier runs, and the comparison of a run with them."""
