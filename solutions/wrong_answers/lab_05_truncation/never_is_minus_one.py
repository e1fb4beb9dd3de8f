"""Minus one means never, so every comparison takes such a state for the nearest."""

TODO = 4
HINT = 2


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), -1.0)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == -1:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
