"""What is remembered does not enter the choice, so that every text is a masked one."""

TODO = 16
HINT = 1


def adaptive_sample(model, allowed, eos_id, remembered, draw):
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        asked.append((scores, futures))
        mass = np.logaddexp.reduce(scores + futures)
        if mass == -np.inf:
            break
        ids.append(sample(np.exp(scores - np.logaddexp.reduce(scores)), draw()))
    weight, learned = (0.0, dict[Text, float]())
    for length, (scores, futures) in reversed([*enumerate(asked)]):
        if length < len(ids):
            futures[ids[length]] = weight
        weight = learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return (ids, learned)
