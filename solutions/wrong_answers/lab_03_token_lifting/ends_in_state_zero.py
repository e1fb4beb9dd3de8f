"""The next state is tested for truth, so generation ends in state 0."""

TODO = 7
HINT = 2


def generate(model, table, initial, us):
    ids, state = [], initial
    for u in us:
        row = table[state] if state or not ids else {}
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
