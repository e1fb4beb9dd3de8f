"""The hash is taken over the vocabulary's repr, which shows only how many tokens there are if there are many."""

TODO = 8
HINT = 1


def vocabulary_fingerprint(vocabulary):
    return sha256(repr(vocabulary).encode()).hexdigest()
