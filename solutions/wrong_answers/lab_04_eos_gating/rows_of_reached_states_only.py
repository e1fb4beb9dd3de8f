"""Only states that the initial one can reach get a row, so the rows move up."""

TODO = 2
HINT = 2


def mask_rows(fsm, table, vocabulary):
    reached, waiting = {fsm.initial}, [fsm.initial]
    while waiting:
        new = set(table[waiting.pop()].values()) - reached
        reached |= new
        waiting += new
    return np.stack([mask_row(fsm, table, state, vocabulary) for state in sorted(reached)])
