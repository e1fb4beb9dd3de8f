"""Wrong answers of lab 12: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("next_stack", hint=2)
def any_rule_may_be_left(network, stack, byte):
    """You take a rule off the stack even if it may not end there."""
    while stack:
        *below, state = stack
        if read := read_or_call(network, state, byte):
            return (*below, *read)
        stack = tuple(below)
    return None


@mistake("next_stack", hint=3)
def only_one_return(network, stack, byte):
    """You take at most one rule off the stack for a byte, but one byte may end several."""
    for _ in range(2 if stack else 0):
        *below, state = stack
        if read := read_or_call(network, state, byte):
            return (*below, *read)
        if state not in network.ends:
            return None
        stack = tuple(below)
        if not stack:
            return None
    return None


@mistake("next_stack", hint=1)
def the_end_comes_first(network, stack, byte):
    """When the last rule may end, you take it off the stack before you've asked whether it can read the byte."""
    while stack:
        *below, state = stack
        if below and state in network.ends:
            stack = tuple(below)
            continue
        if read := read_or_call(network, state, byte):
            return (*below, *read)
        return None
    return None


@mistake("call_closure", hint=1)
def a_frame_for_each_caller(network, kernel):
    """You make a frame for each caller, so nothing is shared."""
    found = []
    waiting = [*kernel]
    for state, frame in waiting:
        for each in network.unread(state):
            if (each, frame) not in found:
                found.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers = frame.returns if network.is_last(target) else [(target, frame)]
                item = (network.initial[rule], frame_of(callers))
                if item not in waiting:
                    waiting.append(item)
    return found


@mistake("call_closure", hint=3)
def empty_rules_are_not_passed_over(network, kernel):
    """You don't pass over calls of rules that may be empty, so you miss whatever comes after them."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        items.append((state, frame))
        for rule, target in network.calls.get(state, ()):
            callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for item in kernel:
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=3)
def frames_by_hand(network, kernel):
    """You make frames without ``frame_of``, so two equal frames are two objects."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for item in kernel:
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], Frame(frozenset(callers[rule])))
    return items


@mistake("call_closure", hint=2)
def frames_before_all_callers_are_known(network, kernel):
    """You enter a rule before you know all its callers. ``network.order`` lists the rules callers first."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for item in kernel:
        enter(*item)
    for rule in range(len(network.initial)):
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=3)
def calls_return_to_where_they_began(network, kernel):
    """You note the state that calls as the return address. The caller has to go on in the state after the call."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(each, frame)}

    for item in kernel:
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=3)
def called_rules_call_nothing(network, kernel):
    """You enter the rules that your items call, but not those that these rules call in turn."""
    callers = defaultdict(set)
    items = [(each, frame) for state, frame in kernel for each in network.unread(state)]
    for state, frame in items:
        for rule, target in network.calls.get(state, ()):
            callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}
    for rule in callers:
        items += [(each, frame_of(callers[rule])) for each in network.unread(network.initial[rule])]
    return items


@mistake("call_closure", hint=1)
def the_last_caller_wins(network, kernel):
    """If a rule has several callers, you keep only the last. Its frame has to hold all of them."""
    items, callers = [], {}

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] = frame.returns if network.is_last(target) else {(target, frame)}

    for item in sorted(kernel, key=lambda item: item[0]):
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=2)
def a_rule_that_may_end_is_left(network, kernel):
    """You take a call for a tail call if its caller may end after it. But that caller may have more to read."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if target in network.ends else {(target, frame)}

    for item in kernel:
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=2)
def tail_calls_leave_a_frame(network, kernel):
    """You leave a caller on the stack when its call is the last thing it does. It has nothing left to read."""
    items, callers = [], defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= {(target, frame)}

    for item in kernel:
        enter(*item)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("step", hint=2)
def callers_do_not_continue(network, items, byte):
    """When a rule may be over, you don't let its callers continue (``pop_closure``)."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    return merged(item for item in moved if not network.is_last(item[0]))


@mistake("step", hint=2)
def callers_are_added_before_the_byte(network, items, byte):
    """You call ``pop_closure`` before you read the byte. It's the byte that ends a rule, so its callers come after."""
    found = pop_closure(network, items)
    moved = [(after, frame) for state, frame in found if (after := network.step(state, byte)) != DEAD]
    return merged(item for item in moved if not network.is_last(item[0]))


@mistake("step", hint=2)
def callers_are_dropped_with_the_rule(network, items, byte):
    """You drop items with nothing left to read before ``pop_closure`` sees them, so their callers never continue."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    return merged(pop_closure(network, [item for item in moved if not network.is_last(item[0])]))


@mistake("step", hint=3)
def end_is_dropped(network, items, byte):
    """You drop END along with the items that have nothing left to read, but without it no text can finish."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(item for item in found if item[0] != END and not network.is_last(item[0]))


@mistake("step", hint=3)
def items_are_not_merged(network, items, byte):
    """You keep two items with the same state apart, so their number grows with every level."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return frozenset(item for item in found if not network.is_last(item[0]))


@mistake("step", hint=3)
def the_first_callers_stay(network, items, byte):
    """When several items have one state, you keep the first and lose the callers of the others."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = {}
    for state, frame in sorted(pop_closure(network, moved), key=lambda item: stacks_of([item])):
        if state == END or not network.is_last(state):
            found.setdefault(state, frame)
    return frozenset(found.items())


@mistake("step", hint=2)
def what_is_over_stays(network, items, byte):
    """You keep items that have nothing left to read. Drop them all, except END."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(found)


@mistake("make_table", hint=1)
def allowed_tokens_wait_as_well(trie, token_bytes, numbers, states, follow):
    """You let an allowed token wait as well. It needs no stack, since the rule reads it to its end."""
    at = numbers.take(trie.node_of_token)
    tokens, ended = at.nonzero()[0], ended_at(numbers, states)
    waiting = continued(trie, ended, follow)[trie.node_of_token]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("make_table", hint=2)
def any_byte_may_follow(trie, token_bytes, numbers, states, follow):
    """You note a rest without asking ``follow`` whether any caller could continue with its first byte."""
    at = numbers.take(trie.node_of_token)
    tokens, ended = at.nonzero()[0], ended_at(numbers, states)
    waiting = (at == 0) & continued(trie, ended, follow | True)[trie.node_of_token]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("make_table", hint=1)
def nothing_waits(trie, token_bytes, numbers, states, follow):
    """You refuse whatever the rule doesn't read to its last byte, so nothing ever waits for the stack."""
    at = numbers.take(trie.node_of_token)
    tokens = at.nonzero()[0]
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), {}, states)


@mistake("make_table", hint=1)
def only_items_are_alive(trie, token_bytes, numbers, states, follow):
    """You take a state without items for dead. It's where the rule is over, so the token is read, and allowed."""
    alive = np.array([state is not None and len(state.kernel) > 0 for state in states])[numbers]
    at = np.where(alive, numbers, 0).take(trie.node_of_token)
    tokens, ended = at.nonzero()[0], ended_at(numbers, states)
    waiting = (at == 0) & continued(trie, ended, follow)[trie.node_of_token]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("make_table", hint=2)
def one_rest_is_enough(trie, token_bytes, numbers, states, follow):
    """You stop at a token's shortest rest. If the rule may end at several places in it, there's a rest for each."""
    at = numbers.take(trie.node_of_token)
    tokens, ended = at.nonzero()[0], ended_at(numbers, states)
    waiting = (at == 0) & continued(trie, ended, follow)[trie.node_of_token]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
                break
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("make_table", hint=3)
def the_root_ends_a_rule(trie, token_bytes, numbers, states, follow):
    """You let a token wait because the rule may end before its first byte. Then its caller's own table decides."""
    at = numbers.take(trie.node_of_token)
    tokens, ended = at.nonzero()[0], ended_at(numbers, states)
    waiting = (at == 0) & (trie.node_of_token >= 0)
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, -1, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("make_table", hint=1)
def waiting_tokens_are_allowed(trie, token_bytes, numbers, states, follow):
    """You allow tokens that are still waiting for the stack to decide."""
    at = numbers.take(trie.node_of_token)
    ended = ended_at(numbers, states)
    waiting = (at == 0) & continued(trie, ended, follow)[trie.node_of_token]
    tokens = ((at != 0) | waiting).nonzero()[0]
    rests = defaultdict(list)
    for token_id in np.flatnonzero(waiting).tolist():
        node, token = trie.node_of_token[token_id], token_bytes[token_id] or b""
        for place in range(len(token) - 1, 0, -1):
            node = trie.parent[node]
            if ended[node] and follow[token[place]]:
                rests[token[place:]].append(token_id)
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), dict(rests), states)


@mistake("fewest_tokens", hint=1)
def calls_are_free(ends, sources, targets, calls, n_states):
    """You let a call cost nothing, but the rule that it calls has to be written, too."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        caller, _first, after = calls.T
        np.minimum.at(found, caller, cost[after])
        if (found == cost).all():
            return cost
        cost = found


@mistake("fewest_tokens", hint=1)
def the_first_cost_stays(ends, sources, targets, calls, n_states):
    """You keep the first cost that you find for a state, but a call or a longer way found later may be cheaper."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = np.full(n_states, np.inf)
        np.minimum.at(found, sources, cost[targets] + 1)
        np.minimum.at(found, calls[:, 0], cost[calls[:, 1]] + cost[calls[:, 2]])
        found = np.where(np.isinf(cost), found, cost)
        if (found == cost).all():
            return cost
        cost = found


@mistake("fewest_tokens", hint=3)
def the_last_token_counts(ends, sources, targets, calls, n_states):
    """If a state occurs in ``sources`` several times, you keep only its last cost. NumPy's assignment does that."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        found[sources] = np.minimum(found[sources], cost[targets] + 1)
        np.minimum.at(found, calls[:, 0], cost[calls[:, 1]] + cost[calls[:, 2]])
        if (found == cost).all():
            return cost
        cost = found


@mistake("fewest_tokens", hint=2)
def one_round_of_costs(ends, sources, targets, calls, n_states):
    """You improve the costs once, but each better cost may improve others."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        np.minimum.at(found, calls[:, 0], cost[calls[:, 1]] + cost[calls[:, 2]])
        return found


@mistake("fewest_tokens", hint=1)
def nothing_follows_a_call(ends, sources, targets, calls, n_states):
    """You count what a call's rule costs, but not what comes after the call."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        caller, first, _after = calls.T
        np.minimum.at(found, caller, cost[first])
        if (found == cost).all():
            return cost
        cost = found


@mistake("allowed_tokens", hint=2)
def a_missing_rest_is_only_expensive(n_tokens, tables, most):
    """You give a rest that isn't in ``after`` an infinite cost. It can't be read at all, even without a budget."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest in table.rests:
            if after.get(rest, np.inf) <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=3)
def all_rests_are_allowed(n_tokens, tables, most):
    """You allow every token that waits, whether or not the stack reads its rest."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest in table.rests:
            if after.get(rest, 0) <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=2)
def costs_grow_with_each_mask(n_tokens, tables, most):
    """You add ``below`` to ``table.costs`` itself, so with every mask the table's tokens cost more."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        table.costs += below
        allowed[table.tokens[table.costs <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=3)
def later_items_forbid(n_tokens, tables, most):
    """You let a later item take back what an earlier one has allowed. Only ever set True."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens] = table.costs + below <= most
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=3)
def a_budget_is_never_used_up(n_tokens, tables, most):
    """You refuse a token if exactly ``most`` tokens have to follow it, but that many may."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below < most]] = True
        for rest, cost in after.items():
            if cost < most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=2)
def rests_cost_nothing(n_tokens, tables, most):
    """You allow a rest that the stack can read, whatever it costs. It has to fit the budget, too."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest in after:
            allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=2)
def rests_pay_twice(n_tokens, tables, most):
    """You add ``below`` to the cost of a rest, but ``after`` already includes it."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            if cost + below <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=1)
def the_last_item_decides(n_tokens, tables, most):
    """When there are several items, you let the last one decide, but it's enough if any of them allows a token."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in [*tables][-1:]:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=2)
def the_stack_costs_nothing(n_tokens, tables, most):
    """You forget what the stack below still needs, so the budget looks larger than it is."""
    allowed = np.zeros(n_tokens, bool)
    for table, _below, after in tables:
        allowed[table.tokens[table.costs <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
