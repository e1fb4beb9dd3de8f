"""Drawing automata and trees: layout, routes, labels."""
