"""EOS is legal only where nothing else is, so after `[0-9]+` no model can ever stop."""

TODO = 1
HINT = 2


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.eos_id] = state in fsm.accepting and not table[state]
    return row
