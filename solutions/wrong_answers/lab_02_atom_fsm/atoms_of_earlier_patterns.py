"""The list is a default argument, which is made once, so it still holds the atoms of earlier patterns."""

TODO = 7
HINT = 1


def parse_atoms(pattern, atoms=[]):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    here = 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if here else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return list(atoms)
