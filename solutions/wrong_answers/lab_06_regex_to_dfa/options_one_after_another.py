"""The options are chained as parts are, so that all of them must be read."""

TODO = 4
HINT = 2


def unfold(node, after, state):
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            for option in options:
                after = state(option, after)
            return [], [after]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)
