"""Vector files: formats, records, and the museum of published bugs."""
