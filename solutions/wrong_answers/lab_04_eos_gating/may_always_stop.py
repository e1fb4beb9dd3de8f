"""EOS is legal in every state, as if a model must be able to stop, so half a number can end."""

TODO = 1
HINT = 1


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[*table[state], vocabulary.eos_id]] = True
    return row
