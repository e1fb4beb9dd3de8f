"""States that allow nothing share one empty dictionary, so a change of one row changes the others."""

TODO = 6
HINT = 1


def lift(fsm, trie):
    nothing = {}
    return tuple(walk_trie(fsm, state, trie) or nothing for state in range(len(fsm)))
