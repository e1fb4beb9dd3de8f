"""All options begin at the start, but only the end of the last one is returned."""

TODO = 4
HINT = 2


def add_fragment(nfa, node, start):
    match node:
        case Chars(ranges):
            end = nfa.add_state()
            nfa.moves[start].append((ranges, end))
            return end
        case Concat(parts):
            for part in parts:
                start = add_fragment(nfa, part, start)
            return start
        case Alternation(options):
            for option in options:
                end = add_fragment(nfa, option, start)
            return end
    return add_repetition(nfa, node, start)
