"""The ids are removed from the caller's trie as they are found, so the next state finds none."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        while trie.ids[node]:
            found[trie.ids[node].pop()] = here
        for char, below in trie.children[node].items():
            if char in fsm.transitions[here]:
                waiting.append((below, fsm.transitions[here][char]))
    return found
