"""Wrong answers of lab 14: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("overlap", hint=1)
def the_distance_between_them(p, q):
    """The total variation is returned: the part that the two don't share."""
    return float(np.abs(p - q).sum() / 2)


@mistake("overlap", hint=2)
def both_draw_the_same(p, q):
    """The probabilities are multiplied, which is how often two independent draws agree."""
    return float((p * q).sum())


@mistake("residual", hint=1)
def the_models_own_row(p, q):
    """After a rejection the model draws from its own row, as if the kept tokens had given it nothing."""
    return p.copy()


@mistake("residual", hint=2)
def what_the_drafter_has_too_much_of(p, q):
    """The difference is taken the other way round: what q has and p lacks."""
    missing = np.maximum(q - p, 0.0)
    return missing / missing.sum() if missing.sum() > 0 else p.copy()


@mistake("residual", hint=2)
def not_normalised(p, q):
    """The difference is returned as it is, so that it doesn't sum to 1."""
    missing = np.maximum(p - q, 0.0)
    return missing if missing.sum() > 0 else p.copy()


@mistake("residual", hint=3)
def divides_by_nothing(p, q):
    """Where the two are equal, it divides 0 by 0."""
    missing = np.maximum(p - q, 0.0)
    with np.errstate(invalid="ignore"):
        return missing / missing.sum()


@mistake("residual", hint=3)
def nearly_equal_is_equal(p, q):
    """Two rows that are close count as equal, although a token may be missing from one of them."""
    missing = np.maximum(p - q, 0.0)
    return p.copy() if np.allclose(p, q) else missing / missing.sum()


@mistake("residual", hint=3)
def the_row_itself_is_returned(p, q):
    """Where the two are equal, p itself is returned, so whoever changes the result changes p."""
    missing = np.maximum(p - q, 0.0)
    return missing / missing.sum() if missing.sum() > 0 else p


@mistake("verify", hint=2)
def draws_again_from_the_model(p_rows, q_rows, draft, draw):
    """After a rejection it draws from p, and tokens that q likes come too often."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(p, draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=2)
def a_token_of_probability_0_is_kept(p_rows, q_rows, draft, draw):
    """It keeps a token if u * q <= p, and so an impossible one where u is 0."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] > p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def goes_on_after_a_rejection(p_rows, q_rows, draft, draw):
    """The rejected token is replaced, and the rest of the draft is tested too, though it continued another text."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        kept.append(sample(residual(p, q), draw()) if draw() * q[token] >= p[token] else token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def a_rejected_token_is_left_out(p_rows, q_rows, draft, draw):
    """After a rejection it returns what was kept, which may be nothing, and wastes the pass."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return kept
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=1)
def no_token_after_the_draft(p_rows, q_rows, draft, draw):
    """If the whole draft is kept, the last row is computed and not used."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return kept or [sample(p_rows[0], draw())]


@mistake("verify", hint=3)
def always_one_more(p_rows, q_rows, draft, draw):
    """If no row is left, one more token is drawn from the last row."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() * q[token] >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[min(len(kept), len(p_rows) - 1)], draw())]


@mistake("verify", hint=2)
def kept_if_the_model_draws_it_too(p_rows, q_rows, draft, draw):
    """The model draws its own token and compares, which is exact, but keeps only the sum of p * q."""
    kept = []
    for p, _, token in zip(p_rows, q_rows, draft, strict=False):
        kept.append(sample(p, draw()))
        if kept[-1] != token:
            return kept
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("verify", hint=2)
def kept_with_probability_p(p_rows, q_rows, draft, draw):
    """A token is kept if u < p, whatever it was drafted with."""
    kept = []
    for p, q, token in zip(p_rows, q_rows, draft, strict=False):
        if draw() >= p[token]:
            return [*kept, sample(residual(p, q), draw())]
        kept.append(token)
    return [*kept, sample(p_rows[len(kept)], draw())] if len(kept) < len(p_rows) else kept


@mistake("tokens_a_pass", hint=1)
def only_the_drafted_ones(rate, length):
    """The model's own token, which every pass gives, isn't counted."""
    return float(sum(rate**kept for kept in range(1, length + 1)))


@mistake("tokens_a_pass", hint=2)
def each_is_kept_for_itself(rate, length):
    """A token counts as kept even if one before it was rejected."""
    return float(1 + rate * length)


@mistake("tokens_a_pass", hint=3)
def the_series_at_rate_1(rate, length):
    """The formula of the geometric series divides by 0 at rate 1."""
    return (1 - rate ** (length + 1)) / (1 - rate)


@mistake("walk_draft", hint=2)
def no_mask_after_the_draft(guide, state, draft, vocab_size, eos_id, remaining):
    """There's a mask before each drafted token and none after the last, so the model can't add one of its own."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft[:-1]:
        if token == eos_id or not masks[-1][token]:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def advances_by_illegal_tokens(guide, state, draft, vocab_size, eos_id, remaining):
    """It advances by a token without asking whether its mask allows it."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if token == eos_id:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining - len(masks)), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def the_budget_stays(guide, state, draft, vocab_size, eos_id, remaining):
    """Each mask is asked for with all that remained before the draft."""
    states, masks = [state], [allowed(guide.mask(state, remaining), vocab_size)]
    for token in draft:
        if token == eos_id or not masks[-1][token]:
            break
        states.append(guide.advance(states[-1], token))
        masks.append(allowed(guide.mask(states[-1], remaining), vocab_size))
    return states, np.array(masks)


@mistake("walk_draft", hint=3)
def a_mask_after_the_end(guide, state, draft, vocab_size, eos_id, remaining):
    """After EOS there's one more mask, that of the state before it."""
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
    """The draft is cut before its illegal token, so the next one is drawn from p, as if nothing was drafted there."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    legal = draft[: len(masks) - 1]
    p_rows = probabilities(score(ids, legal), masks)
    tokens = verify(p_rows, q_rows, legal, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=2)
def q_is_masked_afterwards(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """The drafter's rows are masked after it has drafted, so they are no longer what its tokens were drawn from."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    masked = q_rows[: len(masks)] * masks[: len(q_rows)]
    masked /= np.maximum(masked.sum(axis=1, keepdims=True), 1e-300)
    tokens = verify(p_rows, masked, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=2)
def the_model_reads_the_whole_draft(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """The model reads tokens too whose logits nobody needs."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft)[: len(masks)], masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=3)
def the_drafts_state(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """The state after the tokens is looked up along the draft, although the last token may be the model's own."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    if tokens[-1] != eos_id and len(tokens) == len(states):
        return tokens, guide.advance(states[-1], tokens[-1])
    return tokens, states[min(len(tokens), len(states) - 1)]


@mistake("one_round", hint=3)
def advances_over_the_end(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """It asks for a state after EOS."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    p_rows = probabilities(score(ids, draft[: len(masks) - 1]), masks)
    tokens = verify(p_rows, q_rows, draft, draw)
    return tokens, guide.advance(states[len(tokens) - 1], tokens[-1])


@mistake("one_round", hint=1)
def a_pass_for_each_token(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """The model is asked once for each place, which is what drafts should save."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    logits = [score([*ids, *draft[:n]], [])[0] for n in range(len(masks))]
    tokens = verify(probabilities(np.array(logits), masks), q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("one_round", hint=3)
def masked_and_not_normalised(guide, state, draft, q_rows, score, ids, eos_id, remaining, draw):
    """The mask sets probabilities to 0 and the rest stays as it was, so tokens are rejected too often."""
    states, masks = walk_draft(guide, state, draft, q_rows.shape[1], eos_id, remaining)
    logits = score(ids, draft[: len(masks) - 1])
    p_rows = probabilities(logits, np.ones_like(masks)) * masks
    tokens = verify(p_rows, q_rows, draft, draw)
    before = states[len(tokens) - 1]
    return tokens, before if tokens[-1] == eos_id else guide.advance(before, tokens[-1])


@mistake("draft_legally", hint=2)
def the_rows_before_the_mask(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """Tokens are drawn under the mask, but the rows are the drafter's own, without it."""
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
    """It doesn't stop after EOS, and asks for a state there."""
    draft, rows = [], []
    while len(draft) < length:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=2)
def the_drafter_reads_the_text_alone(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """The drafter is asked about the text so far each time, without what it has drafted already."""
    draft, rows = [], []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter(ids)
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining - len(draft)), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=2)
def the_budget_of_the_first_place(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """Each mask is asked for with what remained at the first place."""
    draft, rows = [], []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        logits = drafter([*ids, *draft])
        rows.append(probabilities(logits, allowed(guide.mask(state, remaining), len(logits))))
        draft.append(sample(rows[-1], draw()))
    return draft, np.array(rows)


@mistake("draft_legally", hint=3)
def advances_after_the_last_token(guide, state, drafter, ids, length, eos_id, remaining, draw):
    """After its last token it asks for a mask that nobody uses."""
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
    """The drafted tokens are appended to the caller's own list."""
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
    """As many tokens are taken back as were drafted, and not as many as were accepted."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    matcher.rollback(len(draft))
    return np.array(masks)


@mistake("masks_by_matcher", hint=1)
def takes_nothing_back(matcher, draft):
    """The matcher stays at the end of the draft."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    return np.array(masks)


@mistake("masks_by_matcher", hint=3)
def eos_is_not_taken_back(matcher, draft):
    """EOS isn't counted, so it stays accepted, and a token before it is lost."""
    masks = [matcher.mask()]
    for token in draft:
        if not matcher.accept(token) or matcher.is_finished():
            break
        masks.append(matcher.mask())
    matcher.rollback(len(masks) - 1)
    return np.array(masks)


@mistake("masks_by_matcher", hint=2)
def asks_after_the_end(matcher, draft):
    """A finished matcher is asked for a mask."""
    masks, accepted = [matcher.mask()], 0
    for token in draft:
        if not matcher.accept(token):
            break
        accepted += 1
        masks.append(matcher.mask())
    matcher.rollback(accepted)
    return np.array(masks)


@mistake("forced_draft", hint=2)
def the_first_of_several(guide, state, vocab_size, eos_id, length, remaining):
    """Where a mask allows several tokens, the first of them counts as forced."""
    draft = []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        ids = np.flatnonzero(allowed(guide.mask(state, remaining - len(draft)), vocab_size))
        draft.append(int(ids[0]))
    return draft


@mistake("forced_draft", hint=2)
def the_end_is_left_out(guide, state, vocab_size, eos_id, length, remaining):
    """A forced EOS isn't drafted."""
    draft = []
    while len(draft) < length:
        state = guide.advance(state, draft[-1]) if draft else state
        ids = np.flatnonzero(allowed(guide.mask(state, remaining - len(draft)), vocab_size))
        if len(ids) != 1 or ids[0] == eos_id:
            break
        draft.append(int(ids[0]))
    return draft


@mistake("forced_draft", hint=3)
def forced_without_the_budget(guide, state, vocab_size, eos_id, length, remaining):
    """The masks aren't told what remains, so nothing that only the budget forces is found."""
    draft = []
    while len(draft) < length and draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        ids = np.flatnonzero(allowed(guide.mask(state), vocab_size))
        if len(ids) != 1:
            break
        draft.append(int(ids[0]))
    return draft


@mistake("forced_draft", hint=3)
def as_long_as_it_goes(guide, state, vocab_size, eos_id, length, remaining):
    """It drafts more than ``length`` tokens."""
    draft = []
    while draft[-1:] != [eos_id]:
        state = guide.advance(state, draft[-1]) if draft else state
        ids = np.flatnonzero(allowed(guide.mask(state, remaining - len(draft)), vocab_size))
        if len(ids) != 1:
            break
        draft.append(int(ids[0]))
    return draft


@mistake("tree_masks", hint=1)
def after_the_node_before(guide, state, parents, tokens, vocab_size, eos_id):
    """Each node continues the node before it, as if the tree were a chain."""
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
    """A parent's row is looked up at its own number, which is one too early, and -1 is the last row."""
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
    """A node whose token is illegal gets its parent's mask and state, so nodes below it live on."""
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
    """It asks for a state after EOS."""
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
    """Each node's path is walked from the root, so masks are asked for as often as there are nodes below."""
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


@mistake("sees", hint=1)
def everything_before_it(parents):
    """A node sees all nodes before it, its siblings too, as in a single text."""
    return np.tri(len(parents), dtype=np.bool_)


@mistake("sees", hint=2)
def not_itself(parents):
    """A node doesn't see its own token."""
    rows = np.eye(len(parents), dtype=np.bool_)
    for node, parent in enumerate(parents):
        if parent >= 0:
            rows[node] |= rows[parent]
    return rows & ~np.eye(len(parents), dtype=np.bool_)


@mistake("sees", hint=3)
def minus_one_is_the_last(parents):
    """A parent of -1 is looked up like any other, and that's the last row."""
    rows = np.eye(len(parents), dtype=np.bool_)
    for node, parent in enumerate(parents):
        rows[node] |= rows[parent]
    return rows


@mistake("sees", hint=1)
def columns_for_rows(parents):
    """Row i says who sees node i, and not whom it sees."""
    rows = np.eye(len(parents), dtype=np.bool_)
    for node, parent in enumerate(parents):
        if parent >= 0:
            rows[:, node] |= rows[:, parent]
    return rows
