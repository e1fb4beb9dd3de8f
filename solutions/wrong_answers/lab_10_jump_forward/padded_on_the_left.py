"""The padding stands in front of the ids."""

TODO = 12
HINT = 2


def ragged_batch(pieces):
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[len(row) - len(piece) :] = piece
    return tokens, lengths
