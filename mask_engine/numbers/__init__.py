"""Numbers as automata: those between two bounds, and multiples, compared digit by digit."""
