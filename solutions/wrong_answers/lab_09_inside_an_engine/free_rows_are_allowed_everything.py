"""A row without a constraint is written too, through a mask in which every token is allowed."""

TODO = 6
HINT = 3


def mask_batch(states, logits, remaining=None):
    guides = {state.guide for state in states if state is not None}
    for guide in guides:
        rows = [row for row, state in enumerate(states) if state is not None and state.guide is guide]
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else [remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf
    logits[:] = np.nan_to_num(logits, nan=-np.inf, posinf=np.inf, neginf=-np.inf)
