"""An illegal token is struck out after it was drawn, so top-k has counted it and a random number is used up."""

TODO = 5
HINT = 2


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    context_token_ids = list(context_token_ids)
    if structured_state is None:
        return engine_parts.sample_token(logits, context_token_ids, params, generator)
    legal = structured_state.allowed_tokens(remaining)
    logits = logits.copy()
    while True:
        token = engine_parts.sample_token(logits, context_token_ids, params, generator)
        if token in legal:
            return token
        logits[token] = -np.inf
