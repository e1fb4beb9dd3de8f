"""Every step samples with the first u."""

TODO = 5
HINT = 3


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for _ in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[0]))
        if ids[-1] == vocabulary.eos_id:
            break
        state = table[state][ids[-1]]
    return ids
