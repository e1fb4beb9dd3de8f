"""The allowed ids and the transitions are taken in pairs, although a row of the table has any order."""

TODO = 5
HINT = 3


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in zip(sorted(transitions), transitions.values(), strict=False):
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough
