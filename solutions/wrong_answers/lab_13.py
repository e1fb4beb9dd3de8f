"""Wrong answers of lab 13: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("log_softmax", hint=2)
def log_of_the_softmax(logits, temperature=1.0):
    """The softmax is computed first, and a probability that underflows to 0 has the logarithm minus infinity."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    odds = np.exp(scores - scores.max())
    with np.errstate(divide="ignore"):
        return np.log(odds / odds.sum())


@mistake("log_softmax", hint=1)
def logits_of_a_thousand_overflow(logits, temperature=1.0):
    """The exponentials of the logits are summed as they are, so large logits overflow."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return scores - np.log(np.exp(scores).sum())


@mistake("log_softmax", hint=3)
def sums_in_float32(logits, temperature=1.0):
    """The sum is computed in the type of the logits, and widened afterwards."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = (logits / np.asarray(temperature, logits.dtype)).astype(logits.dtype)
    return (scores - np.logaddexp.reduce(scores)).astype(np.float64)


@mistake("log_softmax", hint=3)
def temperature_after_the_sum(logits, temperature=1.0):
    """The temperature divides the log-probabilities, which then no longer sum to 1."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature
    return (scores * temperature - float(np.logaddexp.reduce(scores * temperature))) / temperature


@mistake("log_softmax", hint=3)
def temperature_multiplies(logits, temperature=1.0):
    """The logits are multiplied by the temperature."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) * temperature
    return scores - float(np.logaddexp.reduce(scores))


@mistake("log_softmax", hint=3)
def temperature_twice(logits, temperature=1.0):
    """The temperature is applied twice."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    scores = logits.astype(np.float64) / temperature / temperature
    return scores - float(np.logaddexp.reduce(scores))


@mistake("joint_chain", hint=1)
def a_node_for_each_state(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """A node is a state alone, so the model forgets which token led there."""
    start = (initial, eos_id)
    waiting, number, chain = ([start], {start: 0}, list[dict[int, tuple[int, float]]]())
    for state, last in waiting:
        scores, row = (log_softmax(logits[last], temperature), {})
        for token, target in table[state].items():
            if scores[token] > -np.inf:
                pair = (target, token)
                if target not in {state for state, _ in waiting}:
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = ([state for state, _ in waiting].index(target), float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=3)
def each_visit_is_a_new_node(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """A pair that is met again gets a second node, up to a thousand of them."""
    start = (initial, eos_id)
    waiting, number, chain = ([start], {start: 0}, list[dict[int, tuple[int, float]]]())
    for state, last in waiting:
        scores, row = (log_softmax(logits[last], temperature), {})
        for token, target in table[state].items():
            if scores[token] > -np.inf:
                pair = (target, token)
                if pair not in number or (last != token and len(waiting) < 1000):
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = (number[pair], float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=2)
def eos_alone_where_it_is_allowed(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """In an accepting state nothing but EOS is allowed."""
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


@mistake("joint_chain", hint=2)
def eos_in_every_state(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """EOS is allowed in every state."""
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
        if scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=2)
def eos_is_never_a_token(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """EOS is left out of the chain."""
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
            pass
        chain.append(row)
    return chain


@mistake("joint_chain", hint=3)
def impossible_tokens_have_a_place(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """Tokens of probability 0 are in the chain, with the score minus infinity."""
    start = (initial, eos_id)
    waiting, number, chain = ([start], {start: 0}, list[dict[int, tuple[int, float]]]())
    for state, last in waiting:
        scores, row = (log_softmax(logits[last], temperature), {})
        for token, target in table[state].items():
            if token in table[state]:
                pair = (target, token)
                if pair not in number:
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = (number[pair], float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=1)
def rows_are_normalised(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """Each row is normalised over its allowed tokens, which throws away what the mask took."""
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
            row[eos_id] = (END, float(scores[eos_id]))
        mass = np.logaddexp.reduce([score for _, score in row.values()])
        chain.append({token: (target, float(score - mass)) for token, (target, score) in row.items()})
    return chain


@mistake("joint_chain", hint=2)
def the_chain_starts_in_state_zero(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """The initial state is taken to be 0."""
    start = (0, eos_id)
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
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=2)
def the_first_token_follows_id_zero(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """The first token is scored as if token 0 stood before it."""
    start = (initial, 0)
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
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=3)
def the_row_of_the_token_itself(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """A token is scored by the row of what follows it."""
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
                row[token] = (number[pair], float(log_softmax(logits[token], temperature)[last]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("joint_chain", hint=3)
def the_temperature_is_forgotten(logits, eos_id, table, accepting, initial=0, temperature=1.0):
    """The temperature is not passed on."""
    start = (initial, eos_id)
    waiting, number, chain = ([start], {start: 0}, list[dict[int, tuple[int, float]]]())
    for state, last in waiting:
        scores, row = (log_softmax(logits[last]), {})
        for token, target in table[state].items():
            if scores[token] > -np.inf:
                pair = (target, token)
                if pair not in number:
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = (number[pair], float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


@mistake("backward_weights", hint=1)
def a_hundred_rounds(chain):
    """The equations are iterated a hundred times, which is too few for a loop near 1."""
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


@mistake("backward_weights", hint=3)
def a_loop_of_one_is_let_through(chain):
    """A loop of exactly 1 is not refused."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop > 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] -= np.log(-np.expm1(loop)) if loop < 0 else 0.0
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=1)
def loops_are_left_out(chain):
    """A loop is left out, as if no text went through it."""
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
def loops_are_taken_once(chain):
    """A loop is taken at most once."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    for node in reversed(range(n)):
        loop = float(weights[node, node])
        if loop >= 0:
            raise LimitExceeded(f"the loops through node {node} weigh e^{loop:g}", 1)
        weights[node] += np.log1p(np.exp(loop))
        weights[node, node] = -np.inf
        into = np.flatnonzero(weights[:, node] > -np.inf)
        weights[into] = np.logaddexp(weights[into], weights[into, node, None] + weights[node])
        weights[into, node] = -np.inf
    return np.append(weights[:, END], 0.0)


@mistake("backward_weights", hint=3)
def loops_in_dead_ends_are_refused(chain):
    """A loop of weight 1 is refused, though no path leads from it to the end."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(chain):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
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


@mistake("backward_weights", hint=1)
def normalised_per_step(chain):
    """Each row is normalised first, as a mask does, so everything that can end weighs 1."""
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
def one_token_for_each_target(chain):
    """Of several tokens that lead to one node, the last counts."""
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
def only_a_nodes_own_loop(chain):
    """A loop through two nodes is not seen, because transitions to earlier nodes are left out."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            if 0 <= target < node:
                continue
            weights[node, target] = np.logaddexp(weights[node, target], score)
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
    """The equations are solved with probabilities, and small weights become 0."""
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
    """The most likely completion counts in the place of the sum of all."""
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


@mistake("backward_weights", hint=1)
def the_end_is_free(chain):
    """EOS is taken to have probability 1 where it is allowed."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], 0.0 if target == END else score)
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


@mistake("backward_weights", hint=1)
def weights_forward(chain):
    """The weights are summed forward, from the start to each node."""
    n = len(chain)
    weights = np.full((n, n + 1), -np.inf)
    for node, row in enumerate(trimmed(chain)):
        for target, score in row.values():
            weights[node, target] = np.logaddexp(weights[node, target], score)
    total = np.full(n, -np.inf)
    for _ in range(600):
        total = np.logaddexp.reduce(total[:, None] + weights[:, :n], axis=0)
        total[0] = np.logaddexp(total[0], 0.0)
        if total.max() > 700:
            raise LimitExceeded("the sum diverges", 1)
    return np.append(total, 0.0)


@mistake("fair_distribution", hint=1)
def futures_are_ignored(row, weights):
    """The tokens are normalised by their own probabilities alone, which is masking."""
    scores = {token: score if weights[target] > -np.inf else -np.inf for token, (target, score) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=3)
def ids_in_the_order_of_the_row(row, weights):
    """The ids are in the order of the row."""
    scores = {token: score + weights[target] for token, (target, score) in row.items()}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def not_normalised(row, weights):
    """The products are returned as they are."""
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    return {token: float(np.exp(score)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def probabilities_are_added(row, weights):
    """The probability and the weight are added and not multiplied."""
    scores = {
        token: np.log(np.exp(score) + np.exp(weights[target])) if weights[target] > -np.inf else -np.inf
        for token, (target, score) in sorted(row.items())
    }
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def small_weights_underflow(row, weights):
    """The exponentials are taken before the sum, so that small weights are all 0."""
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    total = sum(np.exp(score) for score in scores.values())
    return {token: float(np.exp(score) / total) for token, score in scores.items() if np.exp(score) > 0}


@mistake("fair_distribution", hint=2)
def the_future_alone(row, weights):
    """A token gets the weight of its target, and its own probability does not count."""
    scores = {token: weights[target] for token, (target, _) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items() if score > -np.inf}


@mistake("fair_distribution", hint=2)
def weightless_tokens_stay(row, weights):
    """A token whose target weighs nothing stays, with probability 0."""
    scores = {token: score + weights[target] for token, (target, score) in sorted(row.items())}
    total = np.logaddexp.reduce([*scores.values()])
    return {token: float(np.exp(score - total)) for token, score in scores.items()} if total > -np.inf else {}


@mistake("sample_fair", hint=2)
def a_dead_end_is_a_text(chain, rows, draw):
    """In a dead end the ids so far are returned as if they were a text."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            return ids
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids


@mistake("sample_fair", hint=3)
def a_place_for_an_id(chain, rows, draw):
    """The place in the list of probabilities is taken for the id."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append(sample(np.array([*odds.values()]), draw()))
        node = chain[node][[*odds][ids[-1]]][0]
    return ids


@mistake("sample_fair", hint=1)
def eos_is_left_off(chain, rows, draw):
    """EOS is not among the ids that are returned."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids[:-1]


@mistake("sample_fair", hint=2)
def the_first_weights_for_ever(chain, rows, draw):
    """The first row of weights counts at every step."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, 0))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids


@mistake("sample_fair", hint=2)
def the_last_weights_at_once(chain, rows, draw):
    """The last row of weights counts at every step."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(rows)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids


@mistake("sample_fair", hint=1)
def the_likeliest_token(chain, rows, draw):
    """The most likely token is taken, whatever is drawn."""
    ids = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append(max(odds, key=lambda token: (odds[token], draw() < 0)))
        node = chain[node][ids[-1]][0]
    return ids


@mistake("distances", hint=3)
def differences_over_p_alone(p, q):
    """The variation looks at the texts of p alone."""
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum((a * math.log(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in p) / 2)


@mistake("distances", hint=3)
def the_divergence_in_bits(p, q):
    """The divergence is computed with logarithms to base 2."""
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum((a * math.log2(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)


@mistake("distances", hint=1)
def the_divergence_of_q_from_p(p, q):
    """The divergence is that of q from p."""
    pairs = [(b, p.get(text, 0.0)) for text, b in q.items() if b > 0]
    kl = sum(b * math.log(b / a) if a > 0 else math.inf for b, a in pairs)
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)


@mistake("distances", hint=3)
def the_variation_is_not_halved(p, q):
    """The variation is the whole sum of differences, so two that share nothing are 2 apart."""
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum((a * math.log(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}))


@mistake("distances", hint=2)
def what_q_never_writes_is_skipped(p, q):
    """Texts that q never writes are skipped in the divergence."""
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum((a * math.log(a / b) if b > 0 else 0.0 for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)


@mistake("distances", hint=2)
def zero_log_zero_is_an_error(p, q):
    """A text with probability 0 in p is put into the logarithm."""
    written = [(a, q.get(text, 0.0)) for text, a in p.items()]
    kl = sum((a * math.log(a / b) if b > 0 else math.inf for a, b in written))
    return (kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2)


@mistake("is_fair", hint=2)
def all_nodes_must_weigh_the_same(chain, weights, tolerance=1e-09):
    """All nodes are compared with each other, and not the targets of each."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return bool(alive) and bool(np.ptp([weight for weight in weights if weight > -np.inf]) <= tolerance)


@mistake("is_fair", hint=3)
def dead_ends_are_not_compared(chain, weights, tolerance=1e-09):
    """Targets without weight are left out of the comparison."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(
        np.ptp([weights[target] for target, _ in row.values() if weights[target] > -np.inf]) <= tolerance
        for row in alive
    )


@mistake("is_fair", hint=3)
def only_the_start_is_looked_at(chain, weights, tolerance=1e-09):
    """Only the first node is examined."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp([weights[target] for target, _ in row.values()]) <= tolerance for row in alive[:1])


@mistake("is_fair", hint=1)
def only_where_nothing_is_masked(chain, weights, tolerance=1e-09):
    """Masking is called fair only where the mask takes nothing away."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(abs(np.logaddexp.reduce([score for _, score in row.values()])) <= tolerance for row in alive)


@mistake("is_fair", hint=3)
def rounding_is_unfair(chain, weights, tolerance=1e-09):
    """Weights must be equal to the last bit."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp([weights[target] for target, _ in row.values()]) <= tolerance * 0 for row in alive)


@mistake("is_fair", hint=3)
def small_weights_are_alike(chain, weights, tolerance=1e-09):
    """The weights are compared as probabilities, and small ones are all within the tolerance."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(np.ptp(np.exp([weights[target] for target, _ in row.values()])) <= tolerance for row in alive)


@mistake("is_fair", hint=3)
def the_end_is_not_compared(chain, weights, tolerance=1e-09):
    """EOS is left out of the comparison."""
    alive = [row for row, weight in zip(chain, weights, strict=False) if weight > -np.inf]
    return all(
        np.ptp([weights[target] for target, _ in row.values() if target != END] or [0.0]) <= tolerance for row in alive
    )


@mistake("weights_within", hint=2)
def eos_costs_no_token(chain, budget):
    """EOS needs no token of the budget."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for node, row in enumerate(chain):
        weights[0, node] = np.logaddexp.reduce([score for target, score in row.values() if target == END])
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights


@mistake("weights_within", hint=2)
def exactly_so_many_tokens(chain, budget):
    """A row counts the texts of exactly so many tokens."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[0, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    weights[:, END] = 0
    return weights


@mistake("weights_within", hint=2)
def one_row_too_few(chain, budget):
    """The table has no row for the whole budget."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights[:-1] if budget else weights


@mistake("weights_within", hint=1)
def the_best_text_alone(chain, budget):
    """The best text counts in the place of the sum, as in a table of minima."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = max(after, default=-np.inf)
    return weights


@mistake("weights_within", hint=1)
def the_budget_never_shrinks(chain, budget):
    """The target is looked up in the same row of the table."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights


@mistake("weights_within", hint=3)
def weights_below_the_floats_are_zero(chain, budget):
    """The sums are taken of probabilities, and small weights become 0."""
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            with np.errstate(divide="ignore"):
                weights[left, node] = np.log(np.exp(after).sum())
    return weights


@mistake("masked_step", hint=2)
def a_dead_end_is_an_error(model, allowed, ids, draw):
    """A dead end raises an error."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        raise NoLegalToken(0, str(ids))
    return (sample(np.exp(scores - mass), draw()), mass)


@mistake("masked_step", hint=2)
def a_dead_end_weighs_one(model, allowed, ids, draw):
    """A dead end has the mass 1."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, 0.0)
    return (sample(np.exp(scores - mass), draw()), mass)


@mistake("masked_step", hint=3)
def a_mass_without_logarithm(model, allowed, ids, draw):
    """The mass is returned as a probability."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), math.exp(mass))


@mistake("masked_step", hint=2)
def the_mask_before_the_softmax(model, allowed, ids, draw):
    """The softmax is taken after the mask, so that the mass is always 1."""
    scores = np.where(allowed(ids), model(ids), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), 0.0)


@mistake("masked_step", hint=3)
def the_mask_of_the_empty_text(model, allowed, ids, draw):
    """The mask is asked about the empty text."""
    scores = np.where(allowed([]), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), mass)


@mistake("masked_step", hint=1)
def the_mass_of_the_token(model, allowed, ids, draw):
    """The probability of the chosen token is returned, and not that of all allowed ones."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    token = sample(np.exp(scores - mass), draw())
    return (token, float(scores[token]))


@mistake("masked_step", hint=1)
def the_mass_that_was_taken(model, allowed, ids, draw):
    """The mass is what the mask took away."""
    scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
    mass = float(np.logaddexp.reduce(scores))
    if mass == -np.inf:
        return (None, mass)
    return (sample(np.exp(scores - mass), draw()), math.log1p(-math.exp(min(mass, -1e-12))))


@mistake("masked_sample", hint=2)
def a_dead_end_keeps_its_weight(model, allowed, eos_id, draw):
    """A text in a dead end keeps the weight that it had."""
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        if token is None:
            break
        weight += mass
        ids.append(token)
    return (ids, weight)


@mistake("masked_sample", hint=2)
def a_mean_of_the_masses(model, allowed, eos_id, draw):
    """The weight is the mean of the masses, so that long texts are not at a disadvantage."""
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        weight += mass
        if token is None:
            break
        ids.append(token)
    return (ids, weight / max(1, len(ids)))


@mistake("masked_sample", hint=1)
def divided_by_the_masses(model, allowed, eos_id, draw):
    """The weight is divided by the masses."""
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        weight -= mass
        if token is None:
            break
        ids.append(token)
    return (ids, weight)


@mistake("masked_sample", hint=2)
def eos_has_no_mass(model, allowed, eos_id, draw):
    """The mass of the step that wrote EOS is left out."""
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        if token is None:
            weight = -np.inf
            break
        weight += mass if token != eos_id else 0.0
        ids.append(token)
    return (ids, weight)


@mistake("masked_sample", hint=2)
def the_last_mass_alone(model, allowed, eos_id, draw):
    """The weight is the mass of the last step."""
    ids = []
    weight = 0.0
    while not ids or ids[-1] != eos_id:
        token, mass = masked_step(model, allowed, ids, draw)
        weight = mass
        if token is None:
            break
        ids.append(token)
    return (ids, weight)


@mistake("effective_sample_size", hint=1)
def a_share_of_the_samples(log_weights):
    """The size is given as a share of the number of samples."""
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum() ** 2 / (weights**2).sum() / len(weights))


@mistake("effective_sample_size", hint=1)
def samples_that_weigh_anything(log_weights):
    """Every sample above 0 counts as one."""
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float((weights > 0).sum())


@mistake("effective_sample_size", hint=3)
def the_square_is_forgotten(log_weights):
    """The sum is divided by the sum of squares, without being squared."""
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum() / (weights**2).sum())


@mistake("effective_sample_size", hint=3)
def the_sum_over_the_largest(log_weights):
    """The sum is divided by the largest weight."""
    if not np.isfinite(log_weights).any():
        return 0.0
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum())


@mistake("effective_sample_size", hint=2)
def weights_underflow(log_weights):
    """The exponential is taken of the weights as they are."""
    if not np.isfinite(log_weights).any():
        return 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(np.asarray(log_weights))
        return float(weights.sum() ** 2 / max((weights**2).sum(), 1e-300))


@mistake("estimated_distances", hint=1)
def dead_ends_are_left_out(log_weights):
    """Samples that came to a dead end are left out."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    log_weights = np.asarray(log_weights)[np.isfinite(log_weights)]
    mean = np.logaddexp.reduce(log_weights) - math.log(len(log_weights))
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))


@mistake("estimated_distances", hint=2)
def the_divergence_of_the_fair_distribution(log_weights):
    """The divergence is that of the fair distribution from masking."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights) - math.log(len(log_weights))
    ratios = np.asarray(log_weights) - mean
    return (
        float(np.sum(np.exp(ratios[ratios > -np.inf]) * ratios[ratios > -np.inf]) / len(ratios)),
        float(np.abs(np.exp(ratios) - 1).mean() / 2),
    )


@mistake("estimated_distances", hint=3)
def the_estimate_is_not_halved(log_weights):
    """The variation is not halved."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights) - math.log(len(log_weights))
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean()))


@mistake("estimated_distances", hint=2)
def the_mean_of_the_logarithms(log_weights):
    """The mean weight is the exponential of the mean logarithm."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.mean(np.asarray(log_weights)[np.isfinite(log_weights)])
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))


@mistake("estimated_distances", hint=3)
def the_sign_is_forgotten(log_weights):
    """The divergence has the wrong sign."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights) - math.log(len(log_weights))
    ratios = np.asarray(log_weights) - mean
    return (float(ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))


@mistake("estimated_distances", hint=3)
def the_sum_of_the_weights(log_weights):
    """The weights are divided by their sum and not by their mean."""
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights)
    ratios = np.asarray(log_weights) - mean
    return (float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2))


@mistake("rejection_sample", hint=1)
def drawn_under_the_mask(model, allowed, eos_id, draw, attempts):
    """The tokens are drawn under the mask, so that none is rejected."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = masked_step(model, allowed, ids, draw)[0]
            if token is None:
                break
            ids.append(token)
        else:
            return ids
    return None


@mistake("rejection_sample", hint=1)
def judged_at_the_end(model, allowed, eos_id, draw, attempts):
    """The text is judged only when it has ended, so hopeless texts are written to their end."""
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            ids.append(token)
        if all(allowed(ids[:i])[token] for i, token in enumerate(ids)):
            return ids
    return None


@mistake("rejection_sample", hint=3)
def one_attempt_is_all(model, allowed, eos_id, draw, attempts):
    """After the first attempt that fails it gives up."""
    for _ in range(min(attempts, 1)):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                break
            ids.append(token)
        else:
            return ids
    return None


@mistake("rejection_sample", hint=2)
def one_attempt_too_many(model, allowed, eos_id, draw, attempts):
    """One attempt more than allowed is begun."""
    for _ in range(attempts + 1):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                break
            ids.append(token)
        else:
            return ids
    return None


@mistake("rejection_sample", hint=2)
def the_bad_token_is_drawn_again(model, allowed, eos_id, draw, attempts):
    """Where a token is not allowed another one is drawn in its place, which is masking."""
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
def the_last_attempt_is_returned(model, allowed, eos_id, draw, attempts):
    """The last attempt is returned though it was not legal."""
    ids = None
    for _ in range(attempts):
        ids = []
        while not ids or ids[-1] != eos_id:
            token = sample(np.exp(log_softmax(model(ids))), draw())
            if not allowed(ids)[token]:
                break
            ids.append(token)
        else:
            return ids
    return ids


@mistake("resample", hint=2)
def a_border_belongs_to_the_piece_before(log_weights, u):
    """A point on a border takes the piece before it, even one of width 0."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = (np.arange(len(cumulative)) + u) / len(cumulative)
    picked = np.searchsorted(cumulative / cumulative[-1], points, side="left").tolist()
    return picked


@mistake("resample", hint=1)
def all_points_in_one_place(log_weights, u):
    """All points stand at u."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = np.full(len(cumulative), u)
    picked = np.searchsorted(cumulative / cumulative[-1], points, side="right").tolist()
    return picked


@mistake("resample", hint=2)
def not_scaled_before_the_exponential(log_weights, u):
    """The exponential is taken of the weights as they are, and small ones are all 0."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights)))
    points = (np.arange(len(cumulative)) + u) / len(cumulative)
    with np.errstate(invalid="ignore", divide="ignore"):
        cumulative = cumulative / cumulative[-1]
    picked = np.searchsorted(cumulative, points, side="right").tolist()
    return picked


@mistake("resample", hint=1)
def points_that_are_not_shifted(log_weights, u):
    """The points stand at i/n, whatever u is."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = (np.arange(len(cumulative)) + 0 * u) / len(cumulative)
    picked = np.searchsorted(cumulative / cumulative[-1], points, side="right").tolist()
    return picked


@mistake("resample", hint=3)
def shares_rounded_down(log_weights, u):
    """Each index occurs its share rounded down, and the first fills up the rest."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    counts = np.diff(cumulative / cumulative[-1] * len(cumulative), prepend=0.0).astype(int)
    counts[int(np.argmax(log_weights))] += len(cumulative) - counts.sum()
    return np.repeat(np.arange(len(counts)), counts).tolist()


@mistake("resample", hint=1)
def the_heaviest_alone(log_weights, u):
    """The heaviest index is taken n times."""
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    picked = [int(np.argmax(log_weights))] * len(cumulative)
    return picked


@mistake("smc_sample", hint=3)
def a_share_of_those_that_run(model, allowed, eos_id, n, draw, threshold=0.5):
    """The threshold is a share of the particles that still run."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * len(running):
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def copies_share_a_list(model, allowed, eos_id, n, draw, threshold=0.5):
    """The copies of a particle share one list of ids."""
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
    """Only particles that still run are resampled, and share the weight among themselves alone."""
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
    """A particle that is finished still asks the model."""
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
def finished_particles_weigh_one(model, allowed, eos_id, n, draw, threshold=0.5):
    """A particle that has written EOS loses its weight."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
                weights[i] *= token != eos_id
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def never_resampled(model, allowed, eos_id, n, draw, threshold=0.5):
    """The particles are never resampled."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if effective_sample_size(weights) < 0:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=1)
def one_particle_after_the_other(model, allowed, eos_id, n, draw, threshold=0.5):
    """Each particle is written to its end before the next is begun."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running[:1]:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if 0 < effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def resampled_in_every_round(model, allowed, eos_id, n, draw, threshold=0.5):
    """The particles are resampled in every round, whatever they are worth."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if effective_sample_size(weights) > 0 and threshold > 0:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def resampled_weights_count_twice(model, allowed, eos_id, n, draw, threshold=0.5):
    """The copies keep the weight of their original."""
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
            texts = [[*texts[i]] for i in picked]
            weights = weights[picked]
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def resampled_when_none_is_left(model, allowed, eos_id, n, draw, threshold=0.5):
    """Particles of which all are in dead ends are resampled too."""
    texts = [[] for _ in range(n)]
    weights = np.zeros(n)
    while running := [i for i in range(n) if weights[i] > -np.inf and texts[i][-1:] != [eos_id]]:
        for i in running:
            token, mass = masked_step(model, allowed, texts[i], draw)
            weights[i] += mass
            if token is not None:
                texts[i].append(token)
        if effective_sample_size(weights) < threshold * n:
            texts = [[*texts[i]] for i in resample(weights, draw())]
            weights[:] = np.logaddexp.reduce(weights) - math.log(n)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=2)
def resampling_loses_the_weights(model, allowed, eos_id, n, draw, threshold=0.5):
    """After resampling every particle weighs 1."""
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


@mistake("smc_sample", hint=2)
def the_largest_weight_for_each(model, allowed, eos_id, n, draw, threshold=0.5):
    """After resampling every particle has the largest weight."""
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
            weights[:] = max(weights)
    return [(ids, float(weight)) for ids, weight in zip(texts, weights, strict=True)]


@mistake("smc_sample", hint=3)
def the_sum_of_the_weights_for_each(model, allowed, eos_id, n, draw, threshold=0.5):
    """After resampling every particle has the sum of the weights, and not the mean."""
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


@mistake("adaptive_sample", hint=2)
def a_weight_is_lowered_twice(model, allowed, eos_id, remembered, draw):
    """The remembered weight of the chosen token is multiplied by the new one, and not replaced."""
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
            futures[ids[length]] += weight
        weight = learned[tuple(ids[:length])] = float(np.logaddexp.reduce(scores + futures))
    return (ids, learned)


@mistake("adaptive_sample", hint=3)
def dead_ends_are_not_learned(model, allowed, eos_id, remembered, draw):
    """Nothing is learned from a text that comes to a dead end."""
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
    """The kept masses are learned as 1: the scores are normalised under the mask first."""
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
    """The path is learned from its start, which then knows nothing of what was found after it."""
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


@mistake("adaptive_sample", hint=1)
def only_dead_ends_are_remembered(model, allowed, eos_id, remembered, draw):
    """What is remembered counts only where it is nothing at all."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array([remembered.get((*ids, token), 0.0) for token in range(len(scores))])
        futures[futures > -np.inf] = 0.0
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


@mistake("adaptive_sample", hint=1)
def remembered_and_not_used(model, allowed, eos_id, remembered, draw):
    """What is remembered does not enter the choice, so that every text is a masked one."""
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


@mistake("adaptive_sample", hint=2)
def the_chosen_token_alone(model, allowed, eos_id, remembered, draw):
    """A prefix weighs only what its chosen token leads to."""
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
        token = ids[length] if length < len(ids) else 0
        weight = learned[tuple(ids[:length])] = float((scores + futures)[token])
    return (ids, learned)


@mistake("adaptive_sample", hint=3)
def the_last_ids_are_learned_alone(model, allowed, eos_id, remembered, draw):
    """Only the whole path is learned, and not its prefixes."""
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
    return (ids, {prefix: learned[prefix] for prefix in learned if len(prefix) == max(map(len, learned))})


@mistake("adaptive_sample", hint=2)
def unknown_prefixes_weigh_nothing(model, allowed, eos_id, remembered, draw):
    """A prefix that is not remembered is taken to weigh nothing, once something is."""
    ids = []
    asked = []
    while not ids or ids[-1] != eos_id:
        scores = np.where(allowed(ids), log_softmax(model(ids)), -np.inf)
        futures = np.array(
            [remembered.get((*ids, token), -np.inf if remembered else 0.0) for token in range(len(scores))]
        )
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
