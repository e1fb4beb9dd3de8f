"""The rows are in a dictionary by state instead of a tuple."""

TODO = 3
HINT = 3


def states_to_vocab(fsm, texts):
    return {state: allowed_tokens(fsm, state, texts) for state in range(len(fsm))}
