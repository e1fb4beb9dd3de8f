"""EOS is taken for the last id, wherever the vocabulary has it."""

TODO = 10
HINT = 1


def mask_row(eos_id, lifted, alive, accepting):
    allowed = alive[lifted.groups]
    allowed[-1] = accepting
    return pack_mask(allowed)
