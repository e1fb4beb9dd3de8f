"""Lab 06 on demand: an automaton of which a state is made when a text first comes to it."""
