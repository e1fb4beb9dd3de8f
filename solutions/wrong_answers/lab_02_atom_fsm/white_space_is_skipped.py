"""White space between atoms is skipped, although a space is a character of the pattern like any other."""

TODO = 7
HINT = 2


def parse_atoms(pattern):
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char.isspace():
            here += 1
            continue
        if char == "+" or char in UNSUPPORTED:
            kind = UnsupportedPattern if atoms or char != "+" else InvalidPattern
            raise kind(UNSUPPORTED.get(char, "'+'"), pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms
