"""Where every token fits, the caller's row is returned instead of a new one."""

TODO = 5
HINT = 3


def budget_row(row, transitions, distance, remaining):
    if all(distance[target] + 2 <= remaining for target in transitions.values()):
        return row
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough
