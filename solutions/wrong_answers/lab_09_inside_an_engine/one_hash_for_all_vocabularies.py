"""The hash object is made once, so the bytes of every vocabulary are added to those before."""

TODO = 8
HINT = 3


def vocabulary_fingerprint(vocabulary):
    digest = vars(vocabulary_fingerprint).setdefault("digest", sha256())
    special = sorted(vocabulary.special_ids)
    digest.update(f"{len(vocabulary)} {vocabulary.eos_id} {special}".encode())
    for token in vocabulary.token_bytes:
        digest.update(len(token).to_bytes(4, "little") + token)
    return digest.hexdigest()
