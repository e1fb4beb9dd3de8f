"""A token that the model itself rules out, with minus infinity, gets the logit 0."""

TODO = 7
HINT = 2


def generate(model: Model, table: Table, initial: int, us: Sequence[float]) -> list[int]:
    ids: list[int] = []
    state = initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = np.nan_to_num(model(ids), neginf=0.0)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
