"""The special ids are left out."""

TODO = 8
HINT = 1


def vocabulary_fingerprint(vocabulary):
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()
