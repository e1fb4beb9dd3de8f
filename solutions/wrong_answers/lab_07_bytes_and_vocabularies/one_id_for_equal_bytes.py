"""Tokens are kept in a dictionary by their bytes, so of two ids with the same bytes only the later is found."""

TODO = 4
HINT = 1


def build_byte_trie(token_bytes):
    id_of = {token: token_id for token_id, token in enumerate(token_bytes) if token}
    prefixes = {token[:n] for token in id_of for n in range(len(token) + 1)} | {b""}
    paths = sorted(prefixes, key=lambda path: (len(path), path))
    number = {path: node for node, path in enumerate(paths)}
    node = np.full(len(token_bytes), NO_NODE)
    for token, token_id in id_of.items():
        node[token_id] = number[token]
    parent = [NO_NODE, *(number[path[:-1]] for path in paths[1:])]
    return ByteTrie(parent, [0, *(path[-1] for path in paths[1:])], node)
