"""Characters with a meaning elsewhere are read as literals, so `a|b` expects a bar."""

TODO = 7
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
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
