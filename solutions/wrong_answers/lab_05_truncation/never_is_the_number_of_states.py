"""A state that cannot reach the end gets a large number instead of infinity, so a large budget allows it."""

TODO = 4
HINT = 2


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), float(len(table)))
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == len(table):
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
