"""Wrong answers of lab 14: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("residual", hint=1)
def the_models_own_row(p, q):
    """After a rejection, you draw from the model's own row, as if the kept tokens had given it nothing."""
    return p.copy()


@mistake("residual", hint=2)
def what_the_drafter_has_too_much_of(p, q):
    """You take the difference the wrong way round: what q has and p lacks."""
    missing = np.maximum(q - p, 0.0)
    return missing / missing.sum() if missing.sum() > 0 else p.copy()


@mistake("residual", hint=2)
def not_normalised(p, q):
    """You return the difference as it is, so it doesn't sum to 1."""
    missing = np.maximum(p - q, 0.0)
    return missing if missing.sum() > 0 else p.copy()


@mistake("residual", hint=3)
def divides_by_nothing(p, q):
    """When the two are equal, you divide 0 by 0."""
    missing = np.maximum(p - q, 0.0)
    with np.errstate(invalid="ignore"):
        return missing / missing.sum()


@mistake("residual", hint=3)
def nearly_equal_is_equal(p, q):
    """You treat two rows as equal when they're close, but one of them may lack a token altogether."""
    missing = np.maximum(p - q, 0.0)
    return p.copy() if np.allclose(p, q) else missing / missing.sum()


@mistake("residual", hint=3)
def the_row_itself_is_returned(p, q):
    """When the two are equal, you return p itself, so whoever changes your result changes p."""
    missing = np.maximum(p - q, 0.0)
    return missing / missing.sum() if missing.sum() > 0 else p


@mistake("verify", hint=2)
def draws_again_from_the_model(p_rows, q_rows, draft, draw):
    """After a rejection, you draw from p instead of the residual, so the tokens q likes get a second chance."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(p, draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=2)
def a_token_of_probability_0_is_kept(p_rows, q_rows, draft, draw):
    """You keep a token if u * q <= p, and at u = 0 that would keep an impossible one."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] > p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def goes_on_after_a_rejection(p_rows, q_rows, draft, draw):
    """You replace the rejected token and test the rest of the draft, but the rest was for another text."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        kept.append(sample(residual(p, q), draw()) if draw() * q[token] >= p[token] else token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def a_rejected_token_is_left_out(p_rows, q_rows, draft, draw):
    """After a rejection, you return what was kept. That may be nothing, so draw a token, or you waste the pass."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return kept
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def no_token_after_the_draft(p_rows, q_rows, draft, draw):
    """When you keep the whole draft, you don't use the last row. It gives you one more token for free."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return kept or [sample(p_rows[0], draw())]


@mistake("verify", hint=3)
def always_one_more(p_rows, q_rows, draft, draw):
    """When no row is left, you draw one more token from the last row, but that row is for another place."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[min(len(kept), len(p_rows) - 1)], draw())]


@mistake("verify", hint=2)
def kept_if_the_model_draws_it_too(p_rows, q_rows, draft, draw):
    """You let the model draw a token and compare. That's exact, but you keep far fewer: only the sum of p * q."""
    kept = []
    for p, _, token in zip(p_rows, q_rows, draft, strict=False):
        kept.append(sample(p, draw()))
        if kept[-1] != token:
            return kept
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=2)
def kept_with_probability_p(p_rows, q_rows, draft, draw):
    """You keep a token if u < p, whatever probability it was drafted with."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("walk_draft", hint=2)
def no_mask_after_the_draft(guide, state, draft, vocab_size, eos_id, remaining):
    """You make a mask before each drafted token but none after the last, so the model can't add its own."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft[:-1]:
        if token == eos_id or not masks[-1][token]:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def advances_by_illegal_tokens(guide, state, draft, vocab_size, eos_id, remaining):
    """You advance by a token without asking whether its mask allows it."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if token == eos_id:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def the_budget_stays(guide, state, draft, vocab_size, eos_id, remaining):
    """You ask for every mask with all that remained before the draft, but each token uses some up."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if token == eos_id or not masks[-1][token]:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def a_mask_after_the_end(guide, state, draft, vocab_size, eos_id, remaining):
    """You make one more mask after EOS, from the state before it. Nothing may follow there."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if not masks[-1][token]:
            break
        states.append(states[-1] if token == eos_id else guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
        if token == eos_id:
            break
    return states, np.array(masks)


@mistake("one_round", hint=2)
def the_illegal_token_is_cut_off(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You cut the draft where the walk ends, so you draw from p as if nothing had been drafted there."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    legal = draft[: len(masks) - 1]
    p_rows = probabilities(score(ids, legal), masks)
    tokens = verify(p_rows, q_rows, legal, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=2)
def q_is_masked_afterwards(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You mask the drafter's rows after it has drafted, so they're no longer what its tokens were drawn from."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    masked = q_rows[: len(masks)] * masks[: len(q_rows)]
    masked /= np.maximum(masked.sum(axis=1, keepdims=True), 1e-300)
    tokens = verify(p_rows, masked, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=2)
def the_model_reads_the_whole_draft(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You let the model read the whole draft, but nobody needs its logits after an illegal token."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft)[: len(masks)], masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=3)
def the_drafts_state(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You look the state up along the draft, but the last token may be the model's own."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    if tokens[-1] != eos_id and len(tokens) == len(states):
        return tokens, guide.advance(states[-1], tokens[-1])
    return tokens, states[min(len(tokens), len(states) - 1)]


@mistake("one_round", hint=3)
def advances_over_the_end(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You ask for a state after EOS, and there is none."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    return tokens, guide.advance(states[len(tokens) - 1], tokens[-1])


@mistake("one_round", hint=1)
def a_pass_for_each_token(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """You ask the model once for each place. Those passes are just what a draft should save you."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    logits = [score([*ids, *draft[:n]], [])[0] for n in range(len(masks))]
    tokens = verify(probabilities(np.array(logits), masks), q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=3)
def masked_and_not_normalised(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """Your mask sets probabilities to 0 and leaves the rest as it was, so you reject tokens too often."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    logits = score(ids, draft[: len(masks) - 1])
    p_rows = probabilities(logits, np.ones_like(masks)) * masks
    tokens = verify(p_rows, q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("draft_legally", hint=2)
def the_rows_before_the_mask(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You draw tokens under the mask, but return the drafter's rows without it."""
    draft, rows = [], []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, np.ones(len(logits), np.bool_)))
        masked = probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits)))
        draft.append(sample(masked, draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=3)
def drafts_on_after_the_end(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You don't stop after EOS, and ask for a state there."""
    draft, rows = [], []
    while len(draft) < length:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=2)
def the_drafter_reads_the_text_alone(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You ask the drafter about the text so far each time, without what it has drafted already."""
    draft, rows = [], []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter(ids)
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=2)
def the_budget_of_the_first_place(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You ask for each mask with what remained at the first place, but each drafted token uses one up."""
    draft, rows = [], []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=3)
def advances_after_the_last_token(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You ask for a mask after the last token, and nobody uses it."""
    draft, rows = [], []
    mask = guide.mask(state, remaining)
    while len(draft) < length and draft[-1:] != [eos_id]:
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(mask, len(logits))))
        draft.append(sample(rows[-1], draw()))
        if draft[-1] != eos_id:
            state = guide.advance(state, draft[-1])
            mask = guide.mask(state, remaining - len(draft))
    return draft, np.array(rows)


@mistake("draft_legally", hint=2)
def writes_into_the_text(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """You add the drafted tokens to the caller's own list. Work on a copy."""
    draft, rows, ids = [], [], ids if isinstance(ids, list) else [*ids]
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter(ids)
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
        ids.append(draft[-1])
    return draft, np.array(rows)


@mistake("masks_by_matcher", hint=2)
def takes_back_the_whole_draft(matcher, draft):
    """You take back as many tokens as were drafted, not as many as the matcher accepted."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    matcher.rollback(len(draft))
    return np.array(masks)


@mistake("masks_by_matcher", hint=1)
def takes_nothing_back(matcher, draft):
    """You leave the matcher at the end of the draft. Roll it back to where it was."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    return np.array(masks)


@mistake("masks_by_matcher", hint=3)
def eos_is_not_taken_back(matcher, draft):
    """You don't count EOS, so it stays accepted, and you take back a token before it instead."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    matcher.rollback(len(masks) - 1)
    return np.array(masks)


@mistake("masks_by_matcher", hint=2)
def asks_after_the_end(matcher, draft):
    """You ask a finished matcher for a mask."""
    masks, accepted = [matcher.mask()], 0
    for token in draft:
        if not matcher.accept(token):
            break
        accepted += 1
        masks.append(matcher.mask())
    matcher.rollback(accepted)
    return np.array(masks)


@mistake("tree_masks", hint=1)
def after_the_node_before(guide, state, parents, tokens, vocab_size, eos_id):
    """You let each node continue the one before it, as if the tree were a chain."""
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    states = [state]
    for node, token in enumerate(tokens, start=1):
        states.append(None)
        if masks[node - 1, token] and token != eos_id:
            states[node] = guide.advance(states[node - 1], token)
            masks[node] = allowed(guide.mask(states[node]), vocab_size)
    return masks


@mistake("tree_masks", hint=2)
def rows_without_the_root(guide, state, parents, tokens, vocab_size, eos_id):
    """You look a parent's row up at its own number, one too early, and for -1 Python takes the last row."""
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    states = [state]
    for node, (parent, token) in enumerate(zip(parents, tokens, strict=True), start=1):
        states.append(None)
        if masks[parent, token] and token != eos_id:
            states[node] = guide.advance(states[max(parent, 0)], token)
            masks[node] = allowed(guide.mask(states[node]), vocab_size)
    return masks


@mistake("tree_masks", hint=2)
def dead_nodes_keep_their_parents_mask(guide, state, parents, tokens, vocab_size, eos_id):
    """You give a node with an illegal token its parent's mask and state, so the nodes below it live on."""
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    states = [state]
    for node, (parent, token) in enumerate(zip(parents, tokens, strict=True), start=1):
        states.append(states[parent + 1])
        masks[node] = masks[parent + 1]
        if masks[parent + 1, token] and token != eos_id:
            states[node] = guide.advance(states[parent + 1], token)
            masks[node] = allowed(guide.mask(states[node]), vocab_size)
    return masks


@mistake("tree_masks", hint=3)
def a_node_after_the_end(guide, state, parents, tokens, vocab_size, eos_id):
    """You ask for a state after EOS, and there is none."""
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    states = [state]
    for node, (parent, token) in enumerate(zip(parents, tokens, strict=True), start=1):
        states.append(None)
        if masks[parent + 1, token]:
            states[node] = guide.advance(states[parent + 1], token)
            masks[node] = allowed(guide.mask(states[node]), vocab_size)
    return masks


@mistake("tree_masks", hint=1)
def each_path_from_the_root(guide, state, parents, tokens, vocab_size, eos_id):
    """You walk each node's path from the root, so you ask for the same mask again for each node below it."""
    masks = np.zeros((len(tokens) + 1, vocab_size), np.bool_)
    masks[0] = allowed(guide.mask(state), vocab_size)
    for node in range(len(tokens)):
        path = [node]
        while parents[path[0]] >= 0:
            path.insert(0, parents[path[0]])
        reached, mask = state, masks[0]
        for each in path:
            if not mask[tokens[each]] or tokens[each] == eos_id:
                break
            reached = guide.advance(reached, tokens[each])
            mask = allowed(guide.mask(reached), vocab_size)
        else:
            masks[node + 1] = mask
    return masks
