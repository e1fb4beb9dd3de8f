"""Only the way after the token is counted, and neither the token itself nor EOS."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] <= remaining
    return enough
