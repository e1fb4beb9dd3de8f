"""A set of characters becomes a move for each of its ranges."""

TODO = 4
HINT = 2


def unfold(node, after, state):
    match node:
        case Chars(ranges):
            return [(((first, last),), after) for first, last in ranges], []
        case Concat(parts):
            for part in reversed(parts):
                after = state(part, after)
            return [], [after]
        case Alternation(options):
            return [], [state(option, after) for option in options]
        case Repeat():
            return [], unfold_repeat(node, after, state)
    raise TypeError(node)
