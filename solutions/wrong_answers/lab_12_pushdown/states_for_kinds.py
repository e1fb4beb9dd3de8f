"""kinds holds the state after each token, not its number."""

TODO = 9
HINT = 3


def make_table(trie, token_bytes, numbers, states, follow):
    at = numbers.take(trie.node_of_token)
    tokens = at.nonzero()[0]
    ended = np.array([state is not None and state.ended for state in states]).take(numbers)
    waiting = (at == 0) & continued(trie, ended, follow)[trie.node_of_token]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), np.array([states[n] for n in at[tokens]], object), dict(rests), states)
