"""A target is tested for truth, and state 0 is false."""

TODO = 3
HINT = 3


def predecessors(table):
    before = [set() for _ in table]
    for state, row in enumerate(table):
        for target in row.values():
            if target:
                before[target].add(state)
    return before
