"""Generation stops as soon as the text matches, without EOS and before it can go on."""

TODO = 5
HINT = 1


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[step]))
        if ids[-1] == vocabulary.eos_id or table[state][ids[-1]] in fsm.accepting:
            break
        state = table[state][ids[-1]]
    return ids
