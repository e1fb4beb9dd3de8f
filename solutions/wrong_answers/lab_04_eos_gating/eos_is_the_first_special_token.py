"""EOS is taken to be the first token without a text, which may be padding."""

TODO = 1
HINT = 3


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[vocabulary.texts().index(None)] = state in fsm.accepting
    return row
