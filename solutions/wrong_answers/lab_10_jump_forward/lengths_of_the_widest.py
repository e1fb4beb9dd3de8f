"""Every row claims to be as long as the longest."""

TODO = 12
HINT = 3


def ragged_batch(pieces):
    lengths = np.array([len(piece) for piece in pieces], np.intp)
    tokens = np.zeros((len(pieces), max(1, *lengths)), np.intp)
    for row, piece in zip(tokens, pieces, strict=True):
        row[: len(piece)] = piece
    return tokens, np.full_like(lengths, tokens.shape[1])
