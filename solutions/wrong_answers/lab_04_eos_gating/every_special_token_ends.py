"""Each special token counts as EOS, so padding is legal wherever a text may end."""

TODO = 1
HINT = 3


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[list(table[state])] = True
    row[list(vocabulary.special_ids)] = state in fsm.accepting
    return row
