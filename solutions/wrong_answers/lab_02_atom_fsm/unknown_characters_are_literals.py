"""Characters that mean something elsewhere are taken for themselves, so `a|b` waits for a bar."""

TODO = 4
HINT = 3


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        chars, behind = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", behind)
        atoms.append(Atom(chars, plus, pattern[here : behind + plus], here))
        here = behind + plus
    return atoms
