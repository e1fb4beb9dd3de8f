"""White space around a text is removed, and a token of white space alone is left out."""

TODO = 4
HINT = 3


def build_trie(texts):
    trie = Trie()
    for token_id, text in enumerate(texts):
        node, text = 0, (text or "").strip()
        for char in text:
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie
