"""A word counts only if it is above 0, and one that allows token 31 is below."""

TODO = 3
HINT = 2


def is_finished(state, remaining=None):
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.bitwise_count(words[words > 0]).sum()) <= 1
