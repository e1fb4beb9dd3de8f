"""Double pluses are looked for in the whole pattern first, so they hide a fault to their left."""

TODO = 7
HINT = 2


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    if "++" in pattern[1:]:
        raise UnsupportedPattern("'+' after '+'", pattern, pattern.index("++", 1) + 1)
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
