"""Texts that begin alike do not share their nodes."""

TODO = 1
HINT = 1


def build_trie(texts):
    children, ends = [{}], [None]
    for text in texts:
        if not text:
            raise ValueError("a trigger needs at least one character")
        node = 0
        for char in text:
            children[node][char] = len(children)
            node = len(children)
            children.append({})
            ends.append(None)
        ends[node] = text
    return children, ends
