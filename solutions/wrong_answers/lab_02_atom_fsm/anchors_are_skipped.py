"""`^` and `$` are skipped because the whole text is matched anyway, so `a^b` becomes `ab`."""

TODO = 7
HINT = 3


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char in "^$":
            here += 1
            continue
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
