"""The table is swept twice from its end, which is enough only where paths run from low numbers to high ones."""

TODO = 4
HINT = 2


def tokens_to_accept(table, accepting):
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    for _ in range(2):
        for state in reversed(range(len(table))):
            for target in table[state].values():
                distance[state] = min(distance[state], distance[target] + 1)
    return distance
