"""EOS is assumed to be the last id of the vocabulary, as it is in the toy one."""

TODO = 1
HINT = 3


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[-1] = state in fsm.accepting
    return row
