"""Tokens are looked for only at the leaves, so a token that is a prefix of another is never found."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if not trie.children[node]:
            found |= dict.fromkeys(trie.ids[node], here)
        row = fsm.transitions[here]
        waiting += [(below, row[char]) for char, below in trie.children[node].items() if char in row]
    return found
