"""Vectors files (operands): formats, records, and the museum of published bugs."""
