"""There is always one word more than full ones, also where no token is left over."""

TODO = 1
HINT = 2


def words_for(vocab_size):
    return vocab_size // 32 + 1
