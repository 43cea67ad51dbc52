"""What the multipliers and the exponentiation core cost: points, records, tables, pictures."""
