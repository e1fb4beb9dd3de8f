"""Bits are counted in signed words, so tokens 30 and 31 of a word count as one."""

TODO = 3
HINT = 3


def is_finished(state, remaining=None):
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.bitwise_count(words).sum()) <= 1
