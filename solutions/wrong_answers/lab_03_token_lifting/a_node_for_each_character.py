"""A new node is made for each character even if the child exists, so earlier tokens are lost."""

TODO = 4
HINT = 1


def build_trie(texts):
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie
