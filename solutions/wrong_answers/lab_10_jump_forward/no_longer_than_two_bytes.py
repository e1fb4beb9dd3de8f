"""Slices of one or two bytes are tried, since most tokens are short."""

TODO = 4
HINT = 1


def longest_tokens(run, tokens):
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(2, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            break
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids
