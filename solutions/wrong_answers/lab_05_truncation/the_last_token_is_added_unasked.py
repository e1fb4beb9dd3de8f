"""The last token of the budget is EOS anyway, so it is added without a call of the model."""

TODO = 6
HINT = 1


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None):
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while len(ids) < max_tokens - 1:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        if ids[-1] == vocabulary.eos_id:
            return ids
        state = table[state][ids[-1]]
    return [*ids, vocabulary.eos_id]
