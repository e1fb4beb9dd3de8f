"""Only the first id at a node is entered, so of two ids with one text the second is lost."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if trie.ids[node]:
            found[trie.ids[node][0]] = here
        for char, below in trie.children[node].items():
            if char in fsm.transitions[here]:
                waiting.append((below, fsm.transitions[here][char]))
    return found
