"""Only the tokens after this one are counted, neither this token nor EOS."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] <= remaining
    return enough
