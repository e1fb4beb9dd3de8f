"""Two automata are compared row by row, so a different numbering of the states counts as another language."""

TODO = 16
HINT = 1


def equivalent(left, right):
    one, other = minimize_dfa(left), minimize_dfa(right)
    return (
        one.initial == other.initial
        and one.class_ranges == other.class_ranges
        and one.transitions.tolist() == other.transitions.tolist()
        and one.accepting.tolist() == other.accepting.tolist()
    )
