"""The row is looked up once, before the loop, so the state never changes."""

TODO = 7
HINT = 2


def generate(model, table, initial, us):
    ids, row = [], table[initial]
    for u in us:
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
    return ids
