"""States that no token leads to share one empty set, so a change of one changes the others."""

TODO = 3
HINT = 2


def predecessors(table):
    before = defaultdict(set)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    nothing = set()
    return [before.get(state, nothing) for state in range(len(table))]
