"""Each state calls the ones before it, so a long automaton is deeper than Python's stack."""

TODO = 4
HINT = 3


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), np.inf)

    def visit(state, tokens):
        if tokens < distance[state]:
            distance[state] = tokens
            for earlier in before[state]:
                visit(earlier, tokens + 1)

    for state in accepting:
        visit(state, 0)
    return distance
