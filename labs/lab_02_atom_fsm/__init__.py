"""Lab 02: the atom FSM."""
