"""Numbers as automata: bounds, digits, multiples."""
