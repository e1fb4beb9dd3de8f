"""Given code of lab 15, written to be read."""
