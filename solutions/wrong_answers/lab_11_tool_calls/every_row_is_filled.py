"""All rows go to mask_batch, those of tool guides with them."""

TODO = 9
HINT = 1


def mask_rows(states, logits, remaining=None):
    mask_batch(states, logits, remaining)
