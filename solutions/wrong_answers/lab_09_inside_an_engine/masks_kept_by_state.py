"""Rows with equal states share a mask, whatever guide they belong to."""

TODO = 6
HINT = 3


def mask_batch(states, logits, remaining=None):
    kept = {}
    for guide in {state.guide: None for state in states if state is not None}:
        rows = [row for row, state in enumerate(states) if state is not None and state.guide is guide]
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = [None if remaining is None else remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, budget, bits in zip(rows, budgets, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~kept.setdefault((states[row].current, budget), bits)] = -np.inf
