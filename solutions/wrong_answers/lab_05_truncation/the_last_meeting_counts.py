"""Each time that a state is met its number is written again, also over the 0 of an accepting one."""

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
