"""The caller's row is changed in place, which spoils a row that is kept for each state."""

TODO = 5
HINT = 3


def budget_row(row, transitions, distance, remaining):
    for token_id, target in transitions.items():
        row[token_id] &= distance[target] + 2 <= remaining
    return row
