"""Two vocabularies of one size count as the same."""

TODO = 8
HINT = 1


def vocabulary_fingerprint(vocabulary):
    return sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode()).hexdigest()
