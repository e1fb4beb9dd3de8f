"""Tokens that the rule reads to their end wait as well."""

TODO = 8
HINT = 1


def undecided(trie, token_bytes, dead, ended, follow):
    at = trie.node_of_token
    rests = defaultdict(list)
    for token_id in np.flatnonzero(continued(trie, ended, follow)[at] & (at >= 0)).tolist():
        node, token = at[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return dict(rests)
