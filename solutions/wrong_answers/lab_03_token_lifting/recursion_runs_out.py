"""The walk calls itself for every child, so a long token is deeper than Python's stack."""

TODO = 5
HINT = 1


def walk_trie(fsm, state, trie):
    found = dict.fromkeys(trie.ids[0], state)

    def below(node, here):
        for token_id in trie.ids[node]:
            found[token_id] = here
        for char, child in trie.children[node].items():
            if char in fsm.transitions[here]:
                below(child, fsm.transitions[here][char])

    below(0, state)
    return found
