"""Generation starts in state 0, whatever initial state is given."""

TODO = 7
HINT = 2


def generate(model, table, initial, us):
    ids, state = [], 0
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
