"""Fixed questions to each function of lab 14."""
