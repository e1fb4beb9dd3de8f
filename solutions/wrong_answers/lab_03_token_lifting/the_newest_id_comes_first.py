"""An id is put before the others at its node, so they descend."""

TODO = 4
HINT = 3


def build_trie(texts):
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].insert(0, token_id)
    return trie
