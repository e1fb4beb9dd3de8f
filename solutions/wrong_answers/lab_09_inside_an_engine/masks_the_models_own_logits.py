"""The caller's array is changed."""

TODO = 4
HINT = 2


def apply_structured_output_mask(logits, state, remaining=None):
    logits[~allowed(state.guide.mask(state.current, remaining), len(logits))] = -np.inf
    return logits
