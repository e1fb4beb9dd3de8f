"""The fingerprint is the object's address, so equal vocabularies differ."""

TODO = 8
HINT = 2


def vocabulary_fingerprint(vocabulary):
    return f"{id(vocabulary):064x}"
