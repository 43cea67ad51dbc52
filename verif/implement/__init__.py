"""Area, clock and time of the tops: points, records, tables, pictures."""
