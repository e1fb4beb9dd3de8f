"""The initial state's row comes first and the others follow, so row s belongs to another state than s."""

TODO = 6
HINT = 1


def lift(fsm, trie):
    others = [state for state in range(len(fsm)) if state != fsm.initial]
    return tuple(walk_trie(fsm, state, trie) for state in [fsm.initial, *others])
