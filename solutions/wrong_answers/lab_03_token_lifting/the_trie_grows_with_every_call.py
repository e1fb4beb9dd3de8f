"""The trie is a default argument, which is made once, so it still holds the tokens of earlier calls."""

TODO = 4
HINT = 1


def build_trie(texts, kept=[]):
    if not kept:
        kept.append(Trie())
    trie = kept[0]
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie
