"""Spaces around a token are removed, so a token that begins with one ends at another's node."""

TODO = 4
HINT = 1


def build_byte_trie(token_bytes):
    tokens = [token and (token.strip() or token) for token in token_bytes]
    prefixes = {token[:n] for token in tokens if token for n in range(1, len(token) + 1)}
    paths = [b"", *sorted(prefixes, key=lambda path: (len(path), path))]
    numbers = {path: number for number, path in enumerate(paths)}
    parent = [NO_NODE, *(numbers[path[:-1]] for path in paths[1:])]
    byte = [0, *(path[-1] for path in paths[1:])]
    ends = [numbers[token] if token else NO_NODE for token in tokens]
    return ByteTrie(np.array(parent), np.array(byte), np.array(ends, dtype=np.intp))
