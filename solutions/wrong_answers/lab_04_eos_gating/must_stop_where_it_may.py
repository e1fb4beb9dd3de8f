"""An accepting state allows only EOS, so `[0-9]+` ends after its first token."""

TODO = 1
HINT = 2


def mask_row(fsm, table, state, vocabulary):
    row = np.zeros(len(vocabulary), dtype=np.bool_)
    row[[vocabulary.eos_id] if state in fsm.accepting else list(table[state])] = True
    return row
