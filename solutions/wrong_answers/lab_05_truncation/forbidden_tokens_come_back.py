"""Every token that can finish is allowed, even if the given row forbids it."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] = distance[target] + 2 <= remaining
    return enough
