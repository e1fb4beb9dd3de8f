"""From cases to automata with calls."""
