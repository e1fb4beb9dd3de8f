"""Distances are kept by the number of states and the accepting ones, so another table of that size gets them."""

TODO = 4
HINT = 1


def tokens_to_accept(table, accepting, kept={}):
    key = (len(table), frozenset(accepting))
    if key not in kept:
        before, distance = predecessors(table), np.full(len(table), np.inf)
        distance[list(accepting)] = 0
        waiting = deque(accepting)
        while waiting:
            state = waiting.popleft()
            for earlier in before[state]:
                if distance[earlier] == np.inf:
                    distance[earlier] = distance[state] + 1
                    waiting.append(earlier)
        kept[key] = distance
    return kept[key].copy()
