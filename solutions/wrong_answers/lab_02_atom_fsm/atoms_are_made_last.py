"""The whole pattern is cut before any atom is made, so a class that is too large is found after faults to its right."""

TODO = 7
HINT = 3


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    pieces, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if pieces else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        pieces.append((chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return [Atom(*piece) for piece in pieces]
