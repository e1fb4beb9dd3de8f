"""The id of a token without text is entered at the root, so it is allowed in every state."""

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
        trie.ids[node].append(token_id)
    return trie
