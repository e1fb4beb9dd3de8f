"""Where no token is allowed the logits stay as they are."""

TODO = 4
HINT = 1


def apply_structured_output_mask(logits, state, remaining=None):
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return np.where(bits, logits, -np.inf).astype(logits.dtype) if bits.any() else logits.copy()
