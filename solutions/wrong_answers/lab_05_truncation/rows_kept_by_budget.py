"""Rows are kept by the mask and the budget, so other transitions or distances get the first ones' row."""

TODO = 5
HINT = 1


def budget_row(row, transitions, distance, remaining, kept={}):
    key = (row.tobytes(), int(remaining))
    if key not in kept:
        kept[key] = row.copy()
        for token_id, target in transitions.items():
            kept[key][token_id] &= distance[target] + 2 <= remaining
    return kept[key].copy()
