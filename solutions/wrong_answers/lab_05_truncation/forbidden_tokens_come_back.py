"""Whatever can finish is allowed, be it allowed by the row that was given or not."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] = distance[target] + 2 <= remaining
    return enough
