"""The model is asked before the mask is checked, so a dead end costs a call."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        logits = model(ids)
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(logits, row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
