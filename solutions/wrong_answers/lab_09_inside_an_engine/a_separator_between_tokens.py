"""Tokens are joined with a byte between them, which a token may contain too."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    digest.update(b"\0".join(vocabulary.token_bytes))
    return digest.hexdigest()
