"""Nodes are visited by number, which loses tokens where a child has a smaller number than its parent."""

TODO = 5
HINT = 1


def walk_trie(fsm, state, trie):
    states, found = {0: state}, {}
    for node in range(len(trie)):
        if node in states:
            row = fsm.transitions[states[node]]
            found |= dict.fromkeys(trie.ids[node], states[node])
            states |= {below: row[char] for char, below in trie.children[node].items() if char in row}
    return found
