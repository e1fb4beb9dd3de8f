"""If no token fits the budget, the row is returned unchanged, so the answer may be cut."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough if enough.any() else row.copy()
