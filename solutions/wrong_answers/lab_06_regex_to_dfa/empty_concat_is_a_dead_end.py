"""A concatenation without parts leads nowhere, so an empty option matches nothing."""

TODO = 4
HINT = 2


def unfold(node, after, state):
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            if not parts:
                return [], []
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)
