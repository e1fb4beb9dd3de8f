"""The numbers u are tested for truth, which an array of them does not have."""

TODO = 7
HINT = 3


def generate(model, table, initial, us):
    ids, state = [], initial
    while us and table[state]:
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(table[state], len(logits)))), us[0]))
        us, state = us[1:], table[state][ids[-1]]
    return ids
