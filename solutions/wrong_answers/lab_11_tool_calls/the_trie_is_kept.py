"""The lists of the trie are kept between calls."""

TODO = 1
HINT = 2
_children, _ends = [{}], [None]


def build_trie(texts):
    for text in texts:
        if not text:
            raise ValueError("a trigger needs at least one character")
        node = 0
        for char in text:
            if char not in _children[node]:
                _children[node][char] = len(_children)
                _children.append({})
                _ends.append(None)
            node = _children[node][char]
        _ends[node] = text
    return _children, _ends
