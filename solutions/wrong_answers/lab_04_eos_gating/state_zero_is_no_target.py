"""A token is allowed if the table's entry is true, and a target of 0 is false."""

TODO = 1
HINT = 2


def mask_row(fsm, table, state, vocabulary):
    row = np.array([bool(table[state].get(token_id)) for token_id in range(len(vocabulary))])
    row[vocabulary.eos_id] = state in fsm.accepting
    return row
