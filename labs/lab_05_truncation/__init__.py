"""Lab 05: truncation."""
