"""Only states that a token reaches from the initial one get their row, so the others seem to allow nothing."""

TODO = 3
HINT = 2


def states_to_vocab(fsm, texts):
    rows, waiting = {}, [fsm.initial]
    while waiting:
        state = waiting.pop()
        if state not in rows:
            rows[state] = allowed_tokens(fsm, state, texts)
            waiting += rows[state].values()
    return tuple(rows.get(state, {}) for state in range(len(fsm)))
