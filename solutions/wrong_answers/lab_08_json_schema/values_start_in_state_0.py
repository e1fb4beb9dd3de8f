"""After the opening quote the value is read from state 0, wherever it starts."""

TODO = 16
HINT = 3


def encode_string(values):
    table, start, end = values.transitions.tolist(), len(values), len(values) + 1
    raw = [subtract_ranges(ranges, ESCAPED) for ranges in values.class_ranges]
    rows = [[(raw[c], target) for c, target in enumerate(targets)] for targets in table] + [[], []]

    def inside(tree, state):
        ends = {chars: rest if isinstance(rest, dict) else table[state][rest] for chars, rest in tree.items()}
        row = [(chars, inside(rest, state) if isinstance(rest, dict) else rest) for chars, rest in ends.items()]
        rows.append(row)
        return len(rows) - 1

    tree = escape_tree(values)
    for state in range(len(values)):
        rows[state].append((BACKSLASH, inside(tree, state)))
        rows[state].append((QUOTE, end if values.accepting[state] else DEAD))
    rows[start].append((QUOTE, 0))
    return minimize_dfa(tabulate(rows, start, end))
