"""Tokens are drawn until one is legal, which uses up random numbers and changes the odds of top-k."""

TODO = 5
HINT = 2


def sample_token(logits, context_token_ids, params, generator, structured_state=None, remaining=None):
    legal = None if structured_state is None else structured_state.allowed_tokens(remaining)
    for _ in range(40):
        token_id = engine_parts.sample_token(logits, context_token_ids, params, generator)
        if legal is None or token_id in legal:
            return token_id
    raise ValueError("no token may come next")
