"""The length goes into one byte, so a token of 256 bytes looks like an empty one."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    for token in vocabulary.token_bytes:
        digest.update(bytes([len(token) % 256]) + token)
    return digest.hexdigest()
