"""Only full words are counted, so the last tokens of most vocabularies have no bit."""

TODO = 1
HINT = 1


def words_for(vocab_size):
    return vocab_size // 32
