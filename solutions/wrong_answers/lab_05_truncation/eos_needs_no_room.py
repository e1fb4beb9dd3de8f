"""The room that EOS needs is forgotten, so the match is whole and its end does not fit."""

TODO = 5
HINT = 2


def budget_row(row, transitions, distance, remaining):
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 1 <= remaining
    return enough
