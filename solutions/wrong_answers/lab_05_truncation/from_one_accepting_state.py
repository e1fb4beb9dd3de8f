"""The search starts at one accepting state only, although a match may end in another."""

TODO = 4
HINT = 3


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    waiting = deque(sorted(accepting)[-1:])
    distance[list(waiting)] = 0
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
