"""The nodes are numbered token by token, as in lab 03, and not level by level."""

TODO = 4
HINT = 2


def build_byte_trie(token_bytes):
    number, parent, byte = {b"": 0}, [NO_NODE], [0]
    for token in token_bytes:
        for n in range(1, len(token or b"") + 1):
            if token[:n] not in number:
                number[token[:n]] = len(number)
                parent.append(number[token[: n - 1]])
                byte.append(token[n - 1])
    return ByteTrie(parent, byte, [number[token] if token else NO_NODE for token in token_bytes])
