"""Generation ends when EOS is chosen but leaves it out, so a finished text looks like a cut one."""

TODO = 5
HINT = 2


def constrained_generate(model, fsm, table, vocabulary, max_tokens, us=None):
    ids, state = [], fsm.initial
    for step in range(max_tokens):
        row = mask_row(fsm, table, state, vocabulary)
        if not row.any():
            raise NoLegalToken(state, vocabulary.decode(ids))
        chosen = choose(mask_logits(model(ids), row), None if us is None else us[step])
        if chosen == vocabulary.eos_id:
            break
        ids.append(chosen)
        state = table[state][chosen]
    return ids
