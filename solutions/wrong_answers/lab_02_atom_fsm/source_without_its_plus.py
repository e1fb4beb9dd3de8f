"""An atom's source ends before its plus, so the sources no longer join to the pattern."""

TODO = 4
HINT = 2


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, behind = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", behind)
        atoms.append(Atom(chars, plus, pattern[here:behind], here))
        here = behind + plus
    return atoms
