"""Lab 01: naive matching."""
