"""Where there are no budgets, the guide gets a list of None."""

TODO = 6
HINT = 2


def mask_batch(states, logits, remaining=None):
    rows_of = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
    vocab_size = logits.shape[1]
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-vocab_size // 32)), np.int32)
        budgets = [None if remaining is None else remaining[row] for row in rows]
        guide.fill([states[row].current for row in rows], bitmask, budgets)
        for row, bits in zip(rows, allowed(bitmask, vocab_size), strict=True):
            logits[row][~bits] = -np.inf
