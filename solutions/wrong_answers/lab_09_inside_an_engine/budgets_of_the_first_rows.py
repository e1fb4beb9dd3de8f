"""The budgets are taken from the top of the list and not from the rows of the guide."""

TODO = 6
HINT = 2


def mask_batch(states, logits, remaining=None):
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-logits.shape[1] // 32)), np.int32)
        budgets = None if remaining is None else remaining[: len(rows)]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, logits.shape[1]), strict=True):
            logits[row, ~bits] = -np.inf
