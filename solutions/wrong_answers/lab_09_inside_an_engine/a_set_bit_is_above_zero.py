"""A bit is taken to be set if its value is above 0, but the value of bit 31 is below."""

TODO = 4
HINT = 2


def apply_structured_output_mask(logits, state, remaining=None):
    words = state.guide.mask(state.current, remaining)
    bits = (words[:, None] & (np.int32(1) << np.arange(32, dtype=np.int32)) > 0).reshape(-1)[: len(logits)]
    masked = logits.copy()
    masked[~bits] = -np.inf
    return masked
