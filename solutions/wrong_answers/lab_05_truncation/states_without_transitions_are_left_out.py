"""A state that no token leads to gets no set, so all later ones move up."""

TODO = 3
HINT = 2


def predecessors(table):
    before = {}
    for state, row in enumerate(table):
        for target in row.values():
            before.setdefault(target, set()).add(state)
    return [before[target] for target in sorted(before)]
