"""The insertion does not return to the root, so each token continues below the one before it."""

TODO = 4
HINT = 3


def build_trie(texts):
    trie = Trie()
    node = 0
    for token_id, text in enumerate(texts):
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie
