"""A packed row is counted as V / 8 bytes, as if a part of a word could be sent."""

TODO = 18
HINT = 2


def bytes_per_step(batch, n_constrained, vocab_size):
    row = vocab_size // 8
    return {
        "booleans": batch * vocab_size,
        "words": batch * row,
        "constrained rows": n_constrained * (row + 4),
        "state numbers": batch * 4,
        "states on the device": 0,
    }
