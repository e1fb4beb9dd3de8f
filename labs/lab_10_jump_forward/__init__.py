"""Lab 10: jump-forward."""
