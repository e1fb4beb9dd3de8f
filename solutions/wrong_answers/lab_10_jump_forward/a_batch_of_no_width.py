"""Where nobody has a token the array is empty."""

TODO = 12
HINT = 2


def ragged_batch(pieces):
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths
