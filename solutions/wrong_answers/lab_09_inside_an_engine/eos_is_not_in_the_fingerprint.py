"""The EOS id is left out."""

TODO = 8
HINT = 1


def vocabulary_fingerprint(vocabulary):
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()
