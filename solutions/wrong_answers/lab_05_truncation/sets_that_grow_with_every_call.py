"""The sets are kept between calls, so they still hold the transitions of earlier tables."""

TODO = 3
HINT = 3


def predecessors(table, before={}):
    for state, row in enumerate(table):
        for target in row.values():
            before.setdefault(target, set()).add(state)
    return [set(before.get(state, ())) for state in range(len(table))]
