"""In an accepting state nothing but EOS is allowed."""

TODO = 2
HINT = 2


def joint_chain(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    start = (initial, eos_id)
    waiting, number, chain = ([start], {start: 0}, list[dict[int, tuple[int, float]]]())
    for state, last in waiting:
        scores, row = (log_softmax(logits[last], temperature), {})
        for token, target in table[state].items():
            if scores[token] > -np.inf:
                pair = (target, token)
                if pair not in number:
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = (number[pair], float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row = {eos_id: (END, float(scores[eos_id]))}
        chain.append(row)
    return chain
