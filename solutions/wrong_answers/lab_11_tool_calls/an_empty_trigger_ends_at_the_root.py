"""An empty trigger is taken, and ends at the root."""

TODO = 1
HINT = 3


def build_trie(texts):
    children, ends = [{}], [None]
    for text in texts:
        node = 0
        for char in text:
            if char not in children[node]:
                children[node][char] = len(children)
                children.append({})
                ends.append(None)
            node = children[node][char]
        ends[node] = text
    return children, ends
