"""Only states that a token reaches from the initial one get their row, so the others seem to allow nothing."""

TODO = 6
HINT = 1


def lift(fsm, trie):
    rows, waiting = {}, [fsm.initial]
    while waiting:
        state = waiting.pop()
        if state not in rows:
            rows[state] = walk_trie(fsm, state, trie)
            waiting += rows[state].values()
    return tuple(rows.get(state, {}) for state in range(len(fsm)))
