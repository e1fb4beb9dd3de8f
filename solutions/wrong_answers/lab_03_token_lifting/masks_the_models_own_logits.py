"""Minus infinity is written into the model's own array, which may be the same one at each step."""

TODO = 7
HINT = 3


def generate(model, table, initial, us):
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        logits[~row_mask(row, len(logits))] = -np.inf
        ids.append(sample(softmax(logits), u))
        state = row[ids[-1]]
    return ids
