"""What a node was unfolded to is kept by the node alone, and given again when something else comes after it."""

TODO = 4
HINT = 1


def unfold(node, after, state, known={}):
    if node not in known:
        match node:
            case Chars(ranges):
                known[node] = [(ranges, after)], []
            case Concat(parts):
                for part in reversed(parts):
                    after = state(part, after)
                known[node] = [], [after]
            case Alternation(options):
                known[node] = [], [state(option, after) for option in options]
            case Repeat():
                known[node] = [], unfold_repeat(node, after, state)
            case _:
                raise TypeError(node)
    return known[node]
