"""The newest state is taken first, so a state may get its number on a detour."""

TODO = 4
HINT = 2


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = list(accepting)
    while waiting:
        state = waiting.pop()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
