"""Given code of lab 14."""
