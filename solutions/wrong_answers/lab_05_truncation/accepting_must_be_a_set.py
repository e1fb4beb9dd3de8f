"""The accepting states are used as a set, although any collection of them may be given."""

TODO = 4
HINT = 3


def tokens_to_accept(table, accepting):
    before, distance = predecessors(table), np.full(len(table), np.inf)
    near, steps = accepting | set(), 0
    while near:
        for state in near:
            distance[state] = steps
        near, steps = {e for state in near for e in before[state] if distance[e] == np.inf}, steps + 1
    return distance
