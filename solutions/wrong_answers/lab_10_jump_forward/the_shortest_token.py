"""Slices are looked up from the shortest on, so a run becomes single bytes."""

TODO = 4
HINT = 1


def longest_tokens(run, tokens):
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(1, tokens.longest + 1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            break
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids
