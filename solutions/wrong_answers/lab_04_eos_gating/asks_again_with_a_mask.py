"""The model first chooses freely, and is called again with a mask only if its choice is not legal."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row, u = mask_row(fsm, table, state, vocabulary), None if us is None else us[step]
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        chosen = choose(model(ids), u)
        ids.append(chosen if row[chosen] else choose(mask_logits(model(ids), row), u))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
