"""Each row is made from the automaton's first state, whatever its number."""

TODO = 3
HINT = 1


def states_to_vocab(fsm, texts):
    return tuple(allowed_tokens(fsm, fsm.initial, texts) for _ in range(len(fsm)))
