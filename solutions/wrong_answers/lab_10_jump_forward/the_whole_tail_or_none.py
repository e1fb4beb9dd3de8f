"""A tail that does not fit is dropped as a whole."""

TODO = 7
HINT = 1


def within_budget(guide, states, room):
    if states and states[-1] is not None and len(states) + guide.tokens_to_accept(states[-1]) + 1 <= room:
        return len(states)
    return 0
