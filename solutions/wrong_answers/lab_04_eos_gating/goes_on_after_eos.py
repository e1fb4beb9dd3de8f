"""EOS is treated like any other token: it leaves the state unchanged, and generation continues after it."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        state = table[state].get(ids[-1], state)
    return ids
