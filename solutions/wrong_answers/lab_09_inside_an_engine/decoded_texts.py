"""The texts are hashed and not the bytes, so halves of characters are all the same."""

TODO = 8
HINT = 3


def vocabulary_fingerprint(vocabulary):
    special = sorted(vocabulary.special_ids)
    texts = [token.decode("utf-8", "replace") for token in vocabulary.token_bytes]
    return sha256(f"{vocabulary.eos_id} {special} {texts}".encode()).hexdigest()
