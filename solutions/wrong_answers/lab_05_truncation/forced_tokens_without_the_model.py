"""Where one token alone is legal it is emitted without a call of the model."""

TODO = 6
HINT = 1


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None):
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        if row.sum() == 1:
            ids.append(int(row.argmax()))
        else:
            ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
