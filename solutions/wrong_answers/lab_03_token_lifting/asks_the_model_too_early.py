"""The model is called before the row is checked, so it is called once more than tokens are emitted."""

TODO = 7
HINT = 2


def generate(model, table, initial, us):
    ids, state = [], initial
    for u in us:
        logits, row = model(ids), table[state]
        if not row:
            break
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
