"""Every row is walked from the automaton's initial state."""

TODO = 6
HINT = 1


def lift(fsm, trie):
    return tuple(walk_trie(fsm, fsm.initial, trie) for _ in range(len(fsm)))
