"""Only raw characters are read, and no escapes."""

TODO = 16
HINT = 1


def encode_string(values):
    table, start, end = values.transitions.tolist(), len(values), len(values) + 1
    raw = [subtract_ranges(ranges, ESCAPED) for ranges in values.class_ranges]
    rows = [[(raw[c], target) for c, target in enumerate(targets)] for targets in table] + [[], []]
    for state in range(len(values)):
        rows[state].append((QUOTE, end if values.accepting[state] else DEAD))
    rows[start].append((QUOTE, values.initial))
    return minimize_dfa(tabulate(rows, start, end))
