"""The rows are computed from the table alone, as in lab 03, and the table knows nothing of EOS."""

TODO = 2
HINT = 3


def mask_rows(fsm, table, vocabulary):
    rows = np.zeros((len(fsm), len(vocabulary)), dtype=np.bool_)
    for state, row in enumerate(table):
        rows[state, list(row)] = True
    return rows
