"""The walk turns back where a token ends, so longer tokens below it are lost."""

TODO = 5
HINT = 2


def walk_trie(fsm, state, trie):
    found, waiting = {}, [(0, state)]
    while waiting:
        node, here = waiting.pop()
        if trie.ids[node]:
            found |= dict.fromkeys(trie.ids[node], here)
            continue
        row = fsm.transitions[here]
        waiting += [(below, row[char]) for char, below in trie.children[node].items() if char in row]
    return found
