"""`|` binds tighter than concatenation: ab|cd is read as a(b|c)d."""

TODO = 3
HINT = 1


def parse_items(items):
    groups, bar = [[]], False
    for item in items:
        match item:
            case Open():
                groups.append([])
                continue
            case Bar():
                bar = True
                continue
            case Close():
                node = _alternation([groups.pop()])
            case Quantifier(least, most):
                node = Repeat(groups[-1].pop(), least, most)
            case Class(ranges):
                node = Chars(merge_ranges(ranges))
        groups[-1].append(_alternation([[groups[-1].pop()], [node]]) if bar and groups[-1] else node)
        bar = False
    return _alternation(groups)
