"""The distances include EOS, which the budget mask counts again."""

TODO = 4
HINT = 1


def tokens_to_accept(table, accepting):
    before = predecessors(table)
    distance = np.full(len(table), np.inf)
    distance[list(accepting)] = 1
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance
