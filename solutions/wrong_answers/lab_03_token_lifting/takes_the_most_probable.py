"""The largest masked logit is chosen, whatever u is."""

TODO = 7
HINT = 3


def generate(model, table, initial, us):
    ids, state = [], initial
    for _ in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(int(apply_mask(logits, row_mask(row, len(logits))).argmax()))
        state = row[ids[-1]]
    return ids
