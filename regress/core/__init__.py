"""What every part of the manager is made of: formats, points, jobs, plans and lists."""
