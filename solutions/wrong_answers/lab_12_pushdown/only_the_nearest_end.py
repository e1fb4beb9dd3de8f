"""Only the last place at which the rule ends is looked at."""

TODO = 8
HINT = 1


def undecided(trie, token_bytes, dead, ended, follow):
    rests = defaultdict(list)
    for token_id, node in enumerate(trie.node_of_token.tolist()):
        if node < 0 or not dead[node]:
            continue
        token = token_bytes[token_id]
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node]:
                if follow[token[place]]:
                    rests[token[place:]].append(token_id)
                break
    return dict(rests)
