"""A token that begins as the rest does is taken, although it reaches beyond the end of the run."""

TODO = 4
HINT = 2


def longest_tokens(run, tokens):
    ids = []
    while run:
        fits = [token for token in tokens.ids if run.startswith(token) or token.startswith(run)]
        if not fits:
            break
        ids.append(tokens.ids[max(fits, key=len)])
        run = run[len(max(fits, key=len)) :]
    return ids
