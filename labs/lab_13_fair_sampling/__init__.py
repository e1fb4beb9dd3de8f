"""Lab 13: fair sampling."""
