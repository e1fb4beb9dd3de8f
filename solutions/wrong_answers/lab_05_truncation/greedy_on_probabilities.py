"""Logits become probabilities first, and those of logits next to each other are equal."""

TODO = 6
HINT = 2


def generate_within(
    model: Model,
    fsm: Fsm,
    table: Table,
    vocabulary: Vocabulary,
    max_tokens: int,
    us: Sequence[float] | None = None,
) -> list[int]:
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids: list[int] = []
    state = fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = mask_row(fsm, table, state, vocabulary)
        row = budget_row(row, table[state], distance, max_tokens - len(ids))
        logits = mask_logits(model(ids), row)
        scores = np.exp(logits - logits.max()) if us is None else logits
        ids.append(choose(scores, None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
