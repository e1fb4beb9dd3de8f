"""A concatenation without parts gets a new state that no transition leads to."""

TODO = 4
HINT = 3


def add_fragment(nfa, node, start):
    match node:
        case Chars(ranges):
            end = nfa.add_state()
            nfa.moves[start].append((ranges, end))
            return end
        case Concat(()):
            return nfa.add_state()
        case Concat(parts):
            for part in parts:
                start = add_fragment(nfa, part, start)
            return start
        case Alternation(options):
            end = nfa.add_state()
            for option in options:
                nfa.epsilon[add_fragment(nfa, option, start)].append(end)
            return end
    return add_repetition(nfa, node, start)
