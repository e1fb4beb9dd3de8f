"""Lab 12: pushdown."""
