"""EOS is never allowed, because it is no text that the automaton could read."""

TODO = 10
HINT = 2


def mask_row(eos_id, lifted, alive, accepting):
    allowed = np.zeros(len(lifted.groups), bool)
    allowed[lifted.live_tokens] = alive[lifted.groups[lifted.live_tokens]]
    allowed[eos_id] = False
    return pack_mask(allowed)
