"""From the flat form of a schema to one automaton."""
