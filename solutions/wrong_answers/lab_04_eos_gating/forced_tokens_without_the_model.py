"""Where one token alone is legal it is emitted without a call of the model."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        if row.sum() == 1:
            ids.append(int(row.argmax()))
        else:
            ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
