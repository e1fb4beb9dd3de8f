"""Each option is added from the start, and only the end of the last one is given back."""

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
