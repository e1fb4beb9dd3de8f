"""Where a move shares classes with another, the classes that it reads alone are dropped."""

TODO = 8
HINT = 2


def step_subset(subset, moves):
    together = defaultdict(set)
    for state in subset:
        for classes, target in moves[state]:
            together[classes].add(target)
    parts, taken = [], 0
    for classes, targets in together.items():
        divided = []
        for part, reached in parts:
            divided += [(part & classes, reached | targets), (part & ~classes, reached)]
        parts = [piece for piece in divided if piece[0]]
        if not classes & taken:
            parts.append((classes, frozenset(targets)))
        taken |= classes
    return parts
