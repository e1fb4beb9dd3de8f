"""A state gets a new number each time that it is met, even an accepting one that has 0."""

TODO = 4
HINT = 2


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                waiting.append(earlier)
            distance[earlier] = distance[state] + 1
    return distance
