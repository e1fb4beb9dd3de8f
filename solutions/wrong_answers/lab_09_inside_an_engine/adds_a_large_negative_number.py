"""Forbidden logits are lowered by a large number, which leaves infinite ones and NaN as they are."""

TODO = 4
HINT = 2


def apply_structured_output_mask(logits, state, remaining=None):
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    return (logits + np.where(bits, 0, -np.inf)).astype(logits.dtype)
