"""The model gets the last id alone, so it cannot know what was written before."""

TODO = 7
HINT = 2


def generate(model, table, initial, us):
    ids, state = [], initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids[-1:])
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
