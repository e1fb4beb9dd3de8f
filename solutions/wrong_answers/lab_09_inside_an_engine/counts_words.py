"""The words of the bitmask that are not 0 are counted in place of its bits, so two tokens of one word pass for EOS."""

TODO = 3
HINT = 3


def is_finished(state, remaining=None):
    words = state.guide.mask(state.current, remaining)
    return state.is_terminal() and int(np.count_nonzero(words)) <= 1
