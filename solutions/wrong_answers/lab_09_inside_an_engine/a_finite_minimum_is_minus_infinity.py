"""Forbidden logits become the smallest number of the dtype, which can still be drawn where nothing is allowed."""

TODO = 4
HINT = 2


def apply_structured_output_mask(logits, state, remaining=None):
    masked = logits.copy()
    masked[~allowed(state.guide.mask(state.current, remaining), len(logits))] = np.finfo(logits.dtype).min
    return masked
