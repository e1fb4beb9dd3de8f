"""Given: the rest of JSON Schema, on lab 06's automata and with this lab's functions. See README.md."""
