"""A state number is sent for constrained rows only, without saying which rows they are."""

TODO = 18
HINT = 2


def bytes_per_step(batch, n_constrained, vocab_size):
    row = 4 * words_for(vocab_size)
    return {
        "booleans": batch * vocab_size,
        "words": batch * row,
        "constrained rows": n_constrained * (row + 4),
        "state numbers": n_constrained * 4,
        "states on the device": 0,
    }
