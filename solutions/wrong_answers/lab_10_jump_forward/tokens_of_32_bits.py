"""The array is int32 and not intp."""

TODO = 12
HINT = 3


def ragged_batch(pieces):
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.int32)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, lengths
