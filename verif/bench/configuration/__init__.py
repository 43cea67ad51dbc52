"""What is simulated: designs, parameters, drawn configurations, tests by name."""
