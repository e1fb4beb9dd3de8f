"""The later of two ids with the same text replaces the earlier one."""

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
        if text:
            trie.ids[node] = [token_id]
    return trie
