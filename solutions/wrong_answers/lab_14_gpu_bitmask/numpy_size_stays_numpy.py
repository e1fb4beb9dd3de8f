"""The size is used as it comes, so NumPy's integer gives a number of words that is NumPy's too."""

TODO = 1
HINT = 2


def words_for(vocab_size):
    return -(-vocab_size // 32)
