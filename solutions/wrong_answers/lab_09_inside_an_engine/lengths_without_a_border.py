"""Each token follows its length in decimal digits, but nothing says where the digits end."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    for token in vocabulary.token_bytes:
        digest.update(str(len(token)).encode() + token)
    return digest.hexdigest()
