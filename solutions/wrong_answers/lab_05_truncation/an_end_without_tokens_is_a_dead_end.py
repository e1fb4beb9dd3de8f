"""A state without tokens counts as a dead end, even where it accepts."""

TODO = 4
HINT = 1


def tokens_to_accept(table, accepting):
    before, distance = predecessors(table), np.full(len(table), np.inf)
    waiting = deque(state for state in accepting if table[state])
    distance[list(waiting)] = 0
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
