"""Given: the long tail of JSON Schema. It stands on lab 06's automata and calls the functions of this lab."""
