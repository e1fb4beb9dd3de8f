"""A token that alone is allowed is emitted without a call of the model."""

TODO = 7
HINT = 1


def generate(model, table, initial, us):
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        if len(row) == 1:
            ids += row
        else:
            logits = model(ids)
            ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
