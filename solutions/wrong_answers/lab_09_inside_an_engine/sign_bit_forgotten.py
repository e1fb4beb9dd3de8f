"""Words are read as numbers of 31 bits, so every token at a sign bit is missing."""

TODO = 2
HINT = 2


def tokens_of(bitmask):
    words = bitmask.tolist()
    return {32 * place + bit for place, word in enumerate(words) for bit in range(31) if word >> bit & 1}
