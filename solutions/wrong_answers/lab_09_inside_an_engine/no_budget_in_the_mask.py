"""The budget is not handed on to the guide."""

TODO = 4
HINT = 3


def apply_structured_output_mask(logits, state, remaining=None):
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.current), len(logits))] = -np.inf
    return masked
