"""The tail must fit, and what comes after it is somebody else's affair."""

TODO = 7
HINT = 2


def within_budget(guide, states, room):
    for kept in range(len(states), 0, -1):
        state = states[kept - 1]
        if state is not None and kept <= room:
            return kept
    return 0
