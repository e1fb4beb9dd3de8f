"""The result has NumPy's default type whatever the type of the logits is."""

TODO = 4
HINT = 2


def apply_structured_output_mask(logits, state, remaining=None):
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return np.where(bits, logits.astype(np.float64), -np.inf)
