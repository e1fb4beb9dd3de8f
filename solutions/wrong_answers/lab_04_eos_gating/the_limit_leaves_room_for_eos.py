"""EOS is not counted, so a text may have one token more than the limit."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens + 1):
        row = mask_row(fsm, table, state, vocabulary)
        if step == max_tokens and not (us is None and row[vocabulary.eos_id]):
            break
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
