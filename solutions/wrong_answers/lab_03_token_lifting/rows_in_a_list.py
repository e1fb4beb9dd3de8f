"""The rows are returned as a list."""

TODO = 6
HINT = 3


def lift(fsm, trie):
    return [walk_trie(fsm, state, trie) for state in range(len(fsm))]
