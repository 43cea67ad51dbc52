"""What a design costs: synthesis, place and route and timing on open flows, as jobs."""
