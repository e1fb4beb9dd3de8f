"""Nothing checks in advance whether the budget can suffice, so the mask becomes empty."""

TODO = 6
HINT = 2


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None):
    distance = tokens_to_accept(table, fsm.accepting)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
