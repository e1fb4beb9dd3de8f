"""Wrong answers of lab 13: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("masked_step", hint=2)
def the_mask_before_the_softmax(model, allowed, ids, draw):
    """You mask before the softmax, so your mass is always 1."""
    scores = np.where(allowed(ids), model(ids), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    return (None, mass) if mass == -np.inf else (sample(np.exp(scores - mass), draw()), 0.0)


@mistake("masked_step", hint=2)
def the_mask_before_log_softmax(model, allowed, ids, draw):
    """You mask before ``log_softmax``, so your mass is always 1, and in a dead end it isn't even a number."""
    scores = log_softmax(np.where(allowed(ids), model(ids), -np.inf))
    return sample(np.exp(scores), draw()), float(np.logaddexp.reduce(scores))


@mistake("masked_step", hint=1)
def the_mass_of_the_token(model, allowed, ids, draw):
    """You return the probability of the chosen token, but the mass is that of all allowed ones."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    token = sample(np.exp(scores - mass), draw())
    return (token, float(scores[token]))


@mistake("masked_step", hint=2)
def a_dead_end_keeps_its_weight(model, allowed, ids, draw):
    """You give a dead end the mass 1, so a text that gets stuck keeps its weight. Nothing is allowed: the mass is 0."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    return (None, 0.0) if mass == -np.inf else (sample(np.exp(scores - mass), draw()), mass)


@mistake("masked_step", hint=3)
def sums_in_the_type_of_the_logits(model, allowed, ids, draw):
    """You sum in float32, the logits' own dtype, and widen afterwards, when the digits are gone."""
    logits = model(ids)
    scores = np.where(allowed(ids), logits, np.asarray(-np.inf, logits.dtype))
    kept = np.logaddexp.reduce(scores)
    if kept == -np.inf:
        return (None, -np.inf)
    odds = np.exp((scores - kept).astype(np.float64))
    return (sample(odds / odds.sum(), draw()), float(kept - np.logaddexp.reduce(logits)))


@mistake("masked_step", hint=3)
def a_position_among_the_allowed(model, allowed, ids, draw):
    """You return a position among the allowed tokens, but the caller needs the token's id."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    return None if mass == -np.inf else sample(np.exp(scores[scores > -np.inf] - mass), draw()), mass


@mistake("rejection_sample", hint=2)
def a_dead_end_ends_all_attempts(model, allowed, eos_id, draw, attempts):
    """You return None in a dead end, but the next attempt may write another text."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            mask = allowed(ids)
            if not mask.any():
                return None
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not mask[token]:
                break
            ids.append(token)
        else:
            return ids
    return None


@mistake("rejection_sample", hint=1)
def judged_at_the_end(model, allowed, eos_id, draw, attempts):
    """You judge a text only when it has ended, so you write hopeless ones to the very end."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            ids.append(token)
        if all(allowed(ids[:i])[token] for i, token in enumerate(ids)):
            return ids
    return None


@mistake("rejection_sample", hint=2)
def the_bad_token_is_drawn_again(model, allowed, eos_id, draw, attempts):
    """When a token isn't allowed, you draw another in its place. That's masking, and it bends the distribution."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                continue
            ids.append(token)
        else:
            return ids
    return None


@mistake("rejection_sample", hint=3)
def asked_after_appending(model, allowed, eos_id, draw, attempts):
    """You ask the mask when the token is already appended, so it says what may come next. Ask before you append."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            ids.append(token)
            if not allowed(ids)[token]:
                break
        else:
            return ids
    return None


@mistake("backward_weights", hint=1)
def a_hundred_rounds(chain):
    """You repeat the equations a hundred times, and for a loop near 1 that's too few."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    found = np.append(np.full(n, -np.inf), 0.0)
    for _ in range(100):
        found[:n] = np.logaddexp.reduce(weights + found, axis=1)
        if found.max() > 1:
            raise LimitExceeded("the sum diverges", 1)
    return found


@mistake("backward_weights", hint=1)
def loops_are_left_out(chain):
    """You leave out loops, as if no text went through them."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=1)
def normalised_per_step(chain):
    """You normalise each row first, as a mask does, so everything that can end weighs 1."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        mass = np.logaddexp.reduce([score for _, score in row.values()])
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score - mass)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log(-np.expm1(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=3)
def solved_without_logarithms(chain):
    """You solve the equations with plain probabilities, so small weights become 0."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    odds = np.exp(weights)
    if n and abs(np.linalg.eigvals(odds[:, :n])).max() >= 1 - 1e-12:
        raise LimitExceeded("the sum diverges", 1)
    with np.errstate(divide="ignore"):
        weights[:, END] = np.log(np.linalg.solve(np.eye(n) - odds[:, :n], odds[:, END]).clip(0))
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=1)
def the_best_completion(chain):
    """You take the most likely completion, but the weight is the sum of them all."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = max(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.maximum(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=3)
def one_minus_the_exponential(chain):
    """You compute 1 minus an exponential near 1, and lose most of its digits. ``expm1`` keeps them."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log1p(-np.exp(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=3)
def one_token_for_a_target(chain):
    """You keep one token for each target. If two tokens lead to the same node, add up their probabilities."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = score
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log(-np.expm1(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=2)
def only_rows_that_are_left(chain):
    """You forget the nodes that you've removed already. They lead into this node, too, so update their rows as well."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log(-np.expm1(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:node, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("fair_distribution", hint=1)
def futures_are_ignored(row, weights):
    """You normalise the tokens by their own probabilities alone, and that's masking."""
    scores = {token: score if weights[target] > -np.inf else -np.inf for token, (target, score) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def the_future_alone(row, weights):
    """You give a token the weight of its target, and forget its own probability."""
    scores = {token: weights[target] for token, (target, _) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def logarithms_left_too_early(row, weights):
    """You leave logarithms too early: e^-4000 is 0 as a float. Subtract the logarithm of the total first."""
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    odds = {token: float(np.exp(score)) for token, score in scores.items()}
    return {token: odd / sum(odds.values()) for token, odd in odds.items() if odd > 0}


@mistake("is_fair", hint=2)
def all_nodes_must_weigh_the_same(chain, weights, tolerance=1e-09):
    """You compare all nodes with each other. Compare only the targets of each."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return bool(alive) and bool(np.ptp([weight for weight in weights if weight > -np.inf]) <= tolerance)


@mistake("is_fair", hint=3)
def rounding_is_unfair(chain, weights, tolerance=1e-09):
    """You want weights to be equal to the last bit, so you call mere rounding unfair."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp([weights[target] for target, _ in row.values()]) <= tolerance * 0 for row in alive)


@mistake("is_fair", hint=3)
def small_weights_are_alike(chain, weights, tolerance=1e-09):
    """You compare weights as probabilities, so all small ones are within your tolerance."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp(np.exp([weights[target] for target, _ in row.values()])) <= tolerance for row in alive)


@mistake("is_fair", hint=2)
def dead_ends_are_judged_too(chain, weights, tolerance=1e-09):
    """You also judge nodes from which no text can end. They weigh nothing, so they have no say in it."""
    with np.errstate(invalid="ignore"):
        return all(np.ptp([weights[target] for target, _ in row.values()] or [0.0]) <= tolerance for row in chain)


@mistake("is_fair", hint=2)
def dead_targets_are_left_out(chain, weights, tolerance=1e-09):
    """You leave out targets that weigh 0. But masking walks into them, and what it writes there never ends."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    heavy = [[weights[target] for target, _ in row.values() if weights[target] > -np.inf] for row in alive]
    return all(np.ptp(each) <= tolerance for each in heavy)


@mistake("smc_sample", hint=2)
def copies_share_a_list(model, allowed, eos_id, n, draw, threshold=0.5):
    """The copies of a particle share one list of ids, so what you add to one, you add to all."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [texts[i] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def finished_particles_are_left_out(model, allowed, eos_id, n, draw, threshold=0.5):
    """You resample only the particles that still run, but the finished ones hold a share of the weight, too."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            picked = resample(weights[running], draw()) if np.isfinite(weights[running]).any() else []
            old = {i: [*texts[running[k]]] for i, k in zip(running, picked, strict=False)}
            texts = [old.get(i, texts[i]) for i in range(n)]
            weights[running] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def finished_particles_ask_the_model(model, allowed, eos_id, n, draw, threshold=0.5):
    """You still ask the model for a particle that's finished."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
            if token == eos_id:
                model(texts[i])
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def resampling_loses_the_weights(model, allowed, eos_id, n, draw, threshold=0.5):
    """You give every particle the weight 1 after resampling. Give each the mean of the weights before."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = 0
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=1)
def the_last_mass_alone(model, allowed, eos_id, n, draw, threshold=0.5):
    """You weigh a particle by the mass of its last step. It's the product of all its masses."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, weights[i] = masked_step(model, allowed, texts[i], draw)
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def the_mean_of_exponentials(model, allowed, eos_id, n, draw, threshold=0.5):
    """You leave logarithms to compute the mean, and weights of e^-800 are 0 there: every particle seems dead."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            with np.errstate(divide="ignore"):
                weights[:] = np.log(np.exp(weights).mean())
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def copies_keep_their_weights(model, allowed, eos_id, n, draw, threshold=0.5):
    """You copy a heavy particle and its weight too, so it counts twice. After resampling, each has the mean."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            picked = resample(weights, draw())
            texts, weights = [[*texts[i]] for i in picked], weights[picked]
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def the_sum_for_each(model, allowed, eos_id, n, draw, threshold=0.5):
    """After resampling you give each particle the sum of the weights. Divide it by n: they share it."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def normalised_in_each_round(model, allowed, eos_id, n, draw, threshold=0.5):
    """You normalise the weights, and the masses are lost. Leave their sum as it is: only resampling evens them out."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if np.isfinite(weights).any():
            weights -= np.logaddexp.reduce(weights)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def resampled_before_the_round_ends(model, allowed, eos_id, n, draw, threshold=0.5):
    """You resample after one particle's step. Let all that are running take theirs first, then weigh and resample."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
            if 0 < effective_sample_size(weights) < threshold * n:
                texts = [[*texts[i]] for i in resample(weights, draw())]
                weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("adaptive_sample", hint=3)
def dead_ends_are_not_learned(model, allowed, eos_id, remembered, draw):
    """You learn nothing from a text that gets stuck, but that's the one to learn from."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        asked.append((scores, futures))
        mass = np.logaddexp.reduce(scores + futures)
        if mass == -np.inf:
            break
        ids.append(sample(np.exp(scores + futures - mass), draw()))
    weight, learned = (0.0, dict[Text, float]())
    for length, (scores, futures) in reversed([*enumerate(asked)]):
        if length < len(ids):
            futures[ids[length]] = weight
        weight = learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return (ids, learned if ids[-1:] == [eos_id] else {})


@mistake("adaptive_sample", hint=2)
def learned_after_the_mask(model, allowed, eos_id, remembered, draw):
    """You normalise under the mask first, so you learn that every mass is 1."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        with np.errstate(invalid="ignore"):
            scores = scores - (np.logaddexp.reduce(scores) if scores.max() > -np.inf else 0.0)
        asked.append((scores, futures))
        mass = np.logaddexp.reduce(scores + futures)
        if mass == -np.inf:
            break
        ids.append(sample(np.exp(scores + futures - mass), draw()))
    weight, learned = (0.0, dict[Text, float]())
    for length, (scores, futures) in reversed([*enumerate(asked)]):
        if length < len(ids):
            futures[ids[length]] = weight
        weight = learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return (ids, learned)


@mistake("adaptive_sample", hint=2)
def learned_forwards(model, allowed, eos_id, remembered, draw):
    """For the chosen token you use the old weight. Use what you've just learned after it, so work from the end."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        asked.append((scores, futures))
        mass = np.logaddexp.reduce(scores + futures)
        if mass == -np.inf:
            break
        ids.append(sample(np.exp(scores + futures - mass), draw()))
    _weight, learned = (0.0, dict[Text, float]())
    for length, (scores, futures) in enumerate(asked):
        if length < len(ids):
            futures[ids[length]] = remembered.get(tuple(ids[: length + 1]), 0.0)
        learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return (ids, learned)


@mistake("adaptive_sample", hint=2)
def learned_from_the_start(model, allowed, eos_id, remembered, draw):
    """You go along the path from its start, so what comes after the chosen token isn't known yet. Begin at its end."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        asked.append((scores, futures))
        mass = np.logaddexp.reduce(scores + futures)
        if mass == -np.inf:
            break
        ids.append(sample(np.exp(scores + futures - mass), draw()))
    learned = dict[Text, float]()
    for length, (scores, futures) in enumerate(asked):
        if length < len(ids):
            futures[ids[length]] = learned.get(tuple(ids[: length + 1]), 0.0)
        learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return ids, learned
