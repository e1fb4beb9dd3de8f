"""Lab 03: token lifting."""
