"""The first child without a transition ends the loop, so its siblings are lost too."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], here)
        for char, below in trie.children[node].items():
            if char not in fsm.transitions[here]:
                break
            waiting.append((below, fsm.transitions[here][char]))
    return found
