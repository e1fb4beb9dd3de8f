"""If the end of a run is no token, its beginning is thrown away as well."""

TODO = 4
HINT = 2


def longest_tokens(run, tokens):
    ids = []
    place = 0
    while place < len(run):
        pieces = (run[place : place + size] for size in range(tokens.longest, 0, -1))
        piece = next((piece for piece in pieces if piece in tokens.ids), None)
        if piece is None:
            return []
        ids.append(tokens.ids[piece])
        place += len(piece)
    return ids
