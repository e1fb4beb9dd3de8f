"""The room that EOS needs is forgotten, so the match is whole and its end does not fit."""

TODO = 5
HINT = 2


def budget_row(row, arrows, distance, remaining):
    enough = row.copy()
    for token_id, target in arrows.items():
        enough[token_id] &= distance[target] + 1 <= remaining
    return enough
