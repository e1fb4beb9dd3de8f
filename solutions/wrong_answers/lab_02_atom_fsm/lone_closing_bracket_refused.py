"""A closing bracket outside a class is refused, although it is a character like any other."""

TODO = 7
HINT = 3


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "]" or (char == "+" and not atoms):
            raise InvalidPattern(f"{char!r} belongs to nothing", pattern, here)
        if char in UNSUPPORTED or char == "+":
            raise UnsupportedPattern(UNSUPPORTED.get(char, "'+' after '+'"), pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
