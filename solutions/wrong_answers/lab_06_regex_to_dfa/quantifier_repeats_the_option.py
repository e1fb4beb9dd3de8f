"""A quantifier repeats the whole option before it, not its last part: ab* is read as (ab)*."""

TODO = 3
HINT = 2


def parse_items(items):
    groups = [[[]]]
    for item in items:
        match item:
            case Open():
                groups.append([[]])
            case Close():
                group = _alternation(groups.pop())
                groups[-1][-1].append(group)
            case Bar():
                groups[-1].append([])
            case Quantifier(least, most):
                groups[-1][-1] = [Repeat(Concat(tuple(groups[-1][-1])), least, most)]
            case Class(ranges, negated):
                merged = merge_ranges(ranges)
                groups[-1][-1].append(Chars(complement_ranges(merged) if negated else merged))
            case Anchor():
                groups[-1][-1].append(item)
    return _alternation(groups.pop())
