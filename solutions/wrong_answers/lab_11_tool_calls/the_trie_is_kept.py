"""The lists of the trie are kept between calls."""

TODO = 1
HINT = 2


def build_trie(texts, children=[{}], ends=[None]):
    for text in texts:
        if not text:
            raise ValueError("a trigger needs at least one character")
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(None)
            node = children[node][char]
        ends[node] = text
    return children, ends
