"""A byte that no token begins with is left out, and the rest is written after the gap."""

TODO = 4
HINT = 2


def longest_tokens(run, tokens):
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(tokens.longest, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            place += 1
            continue
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids
