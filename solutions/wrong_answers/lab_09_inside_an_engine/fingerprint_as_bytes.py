"""The hash is returned as bytes."""

TODO = 8
HINT = 3


def vocabulary_fingerprint(vocabulary):
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.digest()
