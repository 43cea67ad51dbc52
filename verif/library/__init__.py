"""Small tools that several instruments share."""
