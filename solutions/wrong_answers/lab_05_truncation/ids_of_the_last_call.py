"""The list of ids is a default argument, which is made once, so a second call returns the ids of the first."""

TODO = 6
HINT = 3


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None, ids=[]):
    distance, state = tokens_to_accept(table, fsm.accepting), fsm.initial
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
