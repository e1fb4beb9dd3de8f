"""Lab 07: bytes and real vocabularies."""
