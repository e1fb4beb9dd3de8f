"""The special ids are hashed in the order in which a set has them."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    special = list(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()
