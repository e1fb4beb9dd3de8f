"""A transition is tested for truth, and one to state 0 is false."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        for token_id in trie.ids[node]:
            found[token_id] = here
        for char, below in trie.children[node].items():
            if target := fsm.transitions[here].get(char):
                waiting.append((below, target))
    return found
