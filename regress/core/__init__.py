"""The base of the manager: formats, points, jobs, plans and lists."""
