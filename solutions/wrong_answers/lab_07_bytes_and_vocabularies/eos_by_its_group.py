"""The EOS bit is set where the state accepts, but elsewhere it is left as its group has it."""

TODO = 10
HINT = 2


def mask_row(eos_id, lifted, alive, accepting):
    allowed = np.zeros(len(lifted.groups), bool)
    allowed[lifted.live_tokens] = alive[lifted.groups[lifted.live_tokens]]
    allowed[eos_id] |= accepting
    return pack_mask(allowed)
