"""A tail that fits exactly is refused."""

TODO = 7
HINT = 2


def within_budget(guide, states, room):
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept + guide.tokens_to_accept(state) + 1 < room:
            return kept
    return 0
