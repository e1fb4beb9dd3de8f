"""The width is the largest of 1 and the lengths, and without lengths max is left with one number to go through."""

TODO = 12
HINT = 2


def ragged_batch(pieces):
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths
