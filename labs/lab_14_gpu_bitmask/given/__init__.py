"""Given code of lab 14, written to be read."""
