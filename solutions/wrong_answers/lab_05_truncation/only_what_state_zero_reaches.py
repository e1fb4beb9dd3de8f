"""Only states that state 0 reaches are visited, although generation may start in another."""

TODO = 3
HINT = 3


def predecessors(table):
    before, waiting, seen = [set() for _ in table], [0], {0}
    while waiting:
        state = waiting.pop()
        for target in table[state].values():
            before[target].add(state)
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return before
