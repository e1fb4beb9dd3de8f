"""The state of the last part leads to the first: each part is put before those already there, so ab matches ba."""

TODO = 4
HINT = 2


def unfold(node, after, state):
    match node:
        case Chars(ranges):
            return [(ranges, after)], []
        case Concat(parts):
            for part in parts:
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)
