"""Small tools that several commands share."""
