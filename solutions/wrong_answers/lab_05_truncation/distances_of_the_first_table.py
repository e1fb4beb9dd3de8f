"""The distances are computed once for all tables with the same number of states."""

TODO = 6
HINT = 2


def generate_within(model, fsm, table, vocabulary, max_tokens, us=None, kept={}):
    distance = kept.setdefault(len(table), tokens_to_accept(table, fsm.accepting))
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
