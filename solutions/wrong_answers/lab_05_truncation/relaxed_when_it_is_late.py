"""If the budget leaves nothing, the row is given back whole: better a long answer than none."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough if enough.any() else row.copy()
