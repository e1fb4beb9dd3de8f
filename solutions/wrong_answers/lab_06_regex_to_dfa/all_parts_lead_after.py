"""Each part of a concatenation leads to what comes after all of them, as if they were options."""

TODO = 4
HINT = 2


def unfold(node, after, state):
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            return [], [state(part, after) for part in parts] or [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)
