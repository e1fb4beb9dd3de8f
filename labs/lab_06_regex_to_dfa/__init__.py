"""Lab 06: regular expressions to automata."""
