"""The mask is always that of the guide's initial state."""

TODO = 4
HINT = 3


def apply_structured_output_mask(logits, state, remaining=None):
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.guide.initial, remaining), len(logits))] = -np.inf
    return masked
