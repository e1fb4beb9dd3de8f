"""Lab 09: inside an engine."""
