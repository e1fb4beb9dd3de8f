"""The caller's collection is the queue, and it is empty after the search."""

TODO = 4
HINT = 3


def tokens_to_accept(table, accepting):
    before, distance = predecessors(table), np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    if isinstance(accepting, (set, list)):
        accepting.clear()
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
