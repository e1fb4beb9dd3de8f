"""Each step removes its number u from the caller's list."""

TODO = 7
HINT = 3


def generate(model, table, initial, us):
    ids, state = [], initial
    while len(us) and table[state]:
        logits = model(ids)
        masked = apply_mask(logits, row_mask(table[state], len(logits)))
        ids.append(sample(softmax(masked), us.pop(0)))
        state = table[state][ids[-1]]
    return ids
