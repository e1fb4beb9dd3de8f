"""The run is written in as few tokens as possible, and not in the longest from the left."""

TODO = 4
HINT = 1


def longest_tokens(run, tokens):
    best = {0: []}
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - tokens.longest), end):
            token_id = tokens.ids.get(run[start:end])
            if token_id is None or start not in best:
                continue
            if end not in best or len(best[start]) + 1 < len(best[end]):
                best[end] = [*best[start], token_id]
    return best[max(best)]
