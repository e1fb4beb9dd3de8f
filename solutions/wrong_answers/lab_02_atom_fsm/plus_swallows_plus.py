"""Several pluses are read as one, although the second has a meaning elsewhere and must be refused."""

TODO = 7
HINT = 2


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char, start = pattern[here], here
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, here = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        after = here
        while pattern.startswith("+", here):
            here += 1
        atoms.append(Atom(chars, here > after, pattern[start:here], start))
    return atoms
