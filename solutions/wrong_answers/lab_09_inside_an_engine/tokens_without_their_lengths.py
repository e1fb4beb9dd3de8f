"""The tokens are hashed one after another, without their lengths."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    special = sorted(vocabulary.special_ids)
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(token)
    return digest.hexdigest()
