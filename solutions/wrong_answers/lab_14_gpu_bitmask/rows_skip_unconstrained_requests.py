"""Rows are numbered among the constrained requests only, so an unconstrained one shifts all after it."""

TODO = 5
HINT = 2


def fill(masks, states, out, vocab_size):
    constrained = [(mask, state) for mask, state in zip(masks, states, strict=True) if mask is not None]
    out[:] = -1
    for row, (mask, state) in enumerate(constrained):
        out[row] = mask(state)
    refuse_empty_rows(out, vocab_size)
    return np.arange(len(constrained), dtype=np.int32)
