"""Given code of lab 12."""
