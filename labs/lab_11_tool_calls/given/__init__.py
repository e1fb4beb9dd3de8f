"""Given code of lab 11: the formats of tool calls as a table, what it says as automata, and a parser of its texts."""
