"""Every unsupported character gets the same text, although UNSUPPORTED has one for each."""

TODO = 7
HINT = 3


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+" and not atoms:
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char == "+" or char in UNSUPPORTED:
            raise UnsupportedPattern("an unsupported character", pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
