"""Each row is computed from the automaton's initial state, whatever its number."""

TODO = 3
HINT = 1


def states_to_vocab(fsm, texts):
    return tuple(allowed_tokens(fsm, fsm.initial, texts) for _ in range(len(fsm)))
