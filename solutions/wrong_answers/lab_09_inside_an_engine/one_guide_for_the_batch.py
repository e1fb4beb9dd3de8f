"""The first guide of the batch makes the masks of all rows."""

TODO = 6
HINT = 1


def mask_batch(states, logits, remaining=None):
    rows = [row for row, state in enumerate(states) if state is not None]
    if not rows:
        return
    bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
    budgets = None if remaining is None else [remaining[row] for row in rows]
    states[rows[0]].guide.fill([states[row].current for row in rows], bitmask, budgets)
    for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
        logits[row, ~bits] = -np.inf
