"""The numbers u are tested for truth, which an array of them does not have."""

TODO = 6
HINT = 3


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None):
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), us[len(ids)] if us else None))
        state = table[state].get(ids[-1], state)
    return ids
