"""EOS is legal only where no token is, so no model can ever end `[0-9]+`."""

TODO = 1
HINT = 2


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting and not table[state]
    return row
