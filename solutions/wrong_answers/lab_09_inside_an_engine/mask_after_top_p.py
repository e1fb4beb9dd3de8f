"""The nucleus of top-p is that of all tokens, and the mask comes after it."""

TODO = 5
HINT = 1


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    if structured_state is not None and params.top_p < 1:
        order = np.argsort(-logits)
        odds = np.exp(logits[order].astype(float))
        late = order[1:][(odds.cumsum() - odds)[1:] >= params.top_p * odds.sum()]
        logits = logits.copy()
        logits[late] = -1e9
        params = replace(params, top_p=1.0)
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)
