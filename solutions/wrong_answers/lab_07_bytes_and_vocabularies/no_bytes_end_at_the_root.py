"""A token without bytes is put where the walk begins, at the root, and not at no node."""

TODO = 5
HINT = 2


def build_byte_trie(token_bytes):
    tokens = [token or b"" for token in token_bytes]
    beginnings = {token[:n] for token in tokens for n in range(len(token) + 1)} | {b""}
    paths = sorted(beginnings, key=lambda path: (len(path), path))
    number = {path: node for node, path in enumerate(paths)}
    parent = [NO_NODE, *(number[path[:-1]] for path in paths[1:])]
    return ByteTrie(parent, [0, *(path[-1] for path in paths[1:])], [number[token] for token in tokens])
