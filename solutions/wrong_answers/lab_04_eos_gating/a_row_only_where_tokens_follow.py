"""A state that no token leaves gets an empty row, although it may allow EOS."""

TODO = 2
HINT = 1


def mask_rows(fsm, table, vocabulary):
    rows = np.zeros((len(fsm), len(vocabulary)), dtype=np.bool_)
    for state in range(len(fsm)):
        if table[state]:
            rows[state] = mask_row(fsm, table, state, vocabulary)
    return rows
