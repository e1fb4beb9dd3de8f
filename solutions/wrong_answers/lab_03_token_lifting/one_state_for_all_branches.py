"""One variable holds the state, so each branch continues from where the last one ended."""

TODO = 5
HINT = 1


def walk_trie(fsm, state, trie):
    found, waiting = {}, [0]
    while waiting:
        node = waiting.pop()
        found |= dict.fromkeys(trie.ids[node], state)
        for char, below in trie.children[node].items():
            if char in fsm.transitions[state]:
                state = fsm.transitions[state][char]
                waiting.append(below)
    return found
