"""The patterns of JSON Schema, in the dialect of ECMA-262, parsed into lab 06's syntax and automata."""
