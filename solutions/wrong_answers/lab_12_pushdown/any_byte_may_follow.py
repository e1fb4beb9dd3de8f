"""Rests wait although no caller goes on with their first byte."""

TODO = 8
HINT = 2


def undecided(trie, token_bytes, dead, ended, follow):
    at = trie.node_of_token
    rests = defaultdict(list)
    for token_id in np.flatnonzero(dead[at] & continued(trie, ended, follow | True)[at]).tolist():
        node, token = at[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node]:
                rests[token[place:]].append(token_id)
    return dict(rests)
