"""Automata of JSON texts: operations, splicing, escaped strings."""
