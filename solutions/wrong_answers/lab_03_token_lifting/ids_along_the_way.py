"""The id is entered at every node on the path, so every prefix of a token counts as the token."""

TODO = 4
HINT = 2


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
