"""Files of operands: formats, records and the museum of published bugs."""
