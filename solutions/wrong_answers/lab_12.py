"""Wrong answers of lab 12: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("fooled", hint=2)
def death_is_no_state(dfa, opening, closing):
    """Where the automaton has died, a step is taken from state -1."""
    state, met = dfa.initial, {dfa.initial: 0}
    for n in range(1, len(dfa) + 2):
        state = dfa.step(state, ord(opening))
        if state in met:
            break
        met[state] = n
    m = met[state]
    return opening * n + closing * n, opening * m + closing * n


@mistake("fooled", hint=1)
def one_bracket_too_few(dfa, opening, closing):
    """Only as many brackets are read as there are states, so none may have been met twice."""
    state, met = dfa.initial, {dfa.initial: 0}
    for n in range(1, len(dfa)):
        state = DEAD if state == DEAD else dfa.step(state, ord(opening))
        if state in met:
            break
        met[state] = n
    m = met[state]
    return opening * n + closing * n, opening * m + closing * n


@mistake("next_stack", hint=2)
def any_rule_may_be_left(network, stack, byte):
    """A rule is taken off the stack although it may not end."""
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        stack = tuple(below)
    return None


@mistake("next_stack", hint=3)
def only_one_return(network, stack, byte):
    """At most one rule is taken off the stack for a byte."""
    for _ in range(2 if stack else 0):
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
        if not stack:
            return None
    return None


@mistake("next_stack", hint=2)
def the_caller_is_forgotten(network, stack, byte):
    """A call puts the called rule on the stack without the state to return to."""
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, _target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
    return None


@mistake("next_stack", hint=2)
def the_last_return_is_not_noted(network, stack, byte):
    """A return to a state in which nothing is left is not put on the stack."""
    while stack:
        *below, state = stack
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, after) if network.is_last(target) else (*below, target, after)
        if state not in network.ends:
            return None
        stack = tuple(below)
    return None


@mistake("next_stack", hint=1)
def the_end_comes_first(network, stack, byte):
    """Where the last rule may end, it is taken off the stack before it is asked to read the byte."""
    while stack:
        *below, state = stack
        if below and state in network.ends:
            stack = tuple(below)
            continue
        if (after := network.step(state, byte)) != DEAD:
            return (*below, after)
        for rule, target in network.calls.get(state, ()):
            if (after := network.step(network.initial[rule], byte)) != DEAD:
                return (*below, target, after)
        return None
    return None


@mistake("nullable_rules", hint=1)
def every_rule_until_it_is_ruled_out(initial, calls, ends):
    """The search starts from all rules, so a rule that only calls itself counts as empty."""
    nullable = {*range(len(initial))}
    grown = True
    while grown:
        found = {rule for rule, first in enumerate(initial) if any(s in ends for s in unread(first, calls, nullable))}
        grown = found != nullable
        nullable = found
    return nullable


@mistake("nullable_rules", hint=2)
def one_round_of_nullable_rules(initial, calls, ends):
    """Rules that are empty only because of other rules are missed."""
    nullable = set()
    grown = True
    while grown:
        found = {rule for rule, first in enumerate(initial) if any(s in ends for s in unread(first, calls, nullable))}
        grown = False
        nullable = found
    return nullable


@mistake("call_closure", hint=1)
def a_frame_for_each_caller(network, kernel):
    """Each caller makes a frame of its own, and nothing is shared."""
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
    """Calls of rules that may be empty are not passed over."""
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in [state]:
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=3)
def frames_by_hand(network, kernel):
    """A frame is made without ``frame_of``, so equal frames are two objects."""
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], Frame(frozenset(callers[rule])))
    return items


@mistake("call_closure", hint=2)
def frames_before_all_callers_are_known(network, kernel):
    """A rule is entered in the order of its number, when some callers are still missing."""
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= frame.returns if network.is_last(target) else {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in range(len(network.initial)):
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("call_closure", hint=2)
def tail_calls_leave_a_frame(network, kernel):
    """A call at the end of a rule leaves its caller on the stack."""
    items = []
    callers = defaultdict(set)

    def enter(state, frame):
        for each in network.unread(state):
            items.append((each, frame))
            for rule, target in network.calls.get(each, ()):
                callers[rule] |= {(target, frame)}

    for state, frame in kernel:
        enter(state, frame)
    for rule in network.order:
        if rule in callers:
            enter(network.initial[rule], frame_of(callers[rule]))
    return items


@mistake("pop_closure", hint=1)
def only_the_first_callers_return(network, items):
    """The callers of a rule that ends go on, but where these end too, theirs do not."""
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
    return found


@mistake("pop_closure", hint=2)
def one_call_for_each_level(network, items):
    """The function calls itself once a level, and Python stops that after a thousand levels."""
    found = set()

    def visit(item):
        if item not in found:
            found.add(item)
            for caller in item[1].returns if network.may_end(item[0]) else ():
                visit(caller)

    for item in items:
        visit(item)
    return found


@mistake("pop_closure", hint=3)
def the_given_set_grows(network, items):
    """The caller's set of items is the one that grows."""
    found = items if isinstance(items, set) else set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return found


@mistake("pop_closure", hint=2)
def what_ended_is_dropped(network, items):
    """An item whose rule may end is left out, although it may go on."""
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return {item for item in found if not network.may_end(item[0])}


@mistake("step", hint=3)
def end_is_dropped(network, items, byte):
    """The end of the text is dropped with what is over."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(item for item in found if item[0] != END and not network.is_last(item[0]))


@mistake("step", hint=3)
def items_are_not_merged(network, items, byte):
    """Two items with one state stay two, and their number grows with each level."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return frozenset(item for item in found if not network.is_last(item[0]))


@mistake("step", hint=3)
def the_first_callers_stay(network, items, byte):
    """Of several items with one state the first is kept, and the callers of the others are lost."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = {}
    for state, frame in sorted(pop_closure(network, moved), key=lambda item: stacks_of([item])):
        if state == END or not network.is_last(state):
            found.setdefault(state, frame)
    return frozenset(found.items())


@mistake("step", hint=2)
def what_is_over_stays(network, items, byte):
    """Items in which nothing is left to read stay in the kernel."""
    moved = [(after, frame) for state, frame in items if (after := network.step(state, byte)) != DEAD]
    found = pop_closure(network, moved)
    return merged(found)


@mistake("walk_vocabulary", hint=3)
def dead_parents_are_asked(trie, alike, first, read):
    """A node with a dead parent asks for a step too."""
    numbering, steps = {None: 0, first: 1}, {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    while len(live):
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                reached = read(states[key // 256], key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers, [*numbering]


@mistake("walk_vocabulary", hint=2)
def each_byte_is_a_step(trie, alike, first, read):
    """Bytes that no rule can tell apart are steps of their own."""
    numbering, steps = {None: 0, first: 1}, {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    while len(live):
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + trie.byte[nodes]
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                state = states[key // 256]
                reached = None if state is None else read(state, key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers, [*numbering]


@mistake("walk_vocabulary", hint=1)
def every_node_takes_a_step(trie, alike, first, read):
    """Each node of the trie takes its own step, however many nodes take the same one."""
    numbering = {None: 0, first: 1}
    reached = [first]
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    for node in range(1, len(trie)):
        state = reached[trie.parent[node]]
        after = None if state is None else read(state, int(alike[trie.byte[node]]))
        reached.append(after)
        numbers[node] = numbering.setdefault(after, len(numbering))
    return numbers, [*numbering]


@mistake("walk_vocabulary", hint=3)
def the_start_is_dead(trie, alike, first, read):
    """A node with the number of the first state counts as dead, so the walk stops there."""
    numbering, steps = {None: 0, first: 1}, {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    while len(live):
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                state = states[key // 256]
                reached = None if state is None else read(state, key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] > 1)
    return numbers, [*numbering]


@mistake("walk_vocabulary", hint=3)
def tokens_without_a_node_are_alive(trie, alike, first, read):
    """The last number, which tokens without a node look up, is that of the root."""
    numbering, steps = {None: 0, first: 1}, {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0], live = 1, np.array([0])
    while len(live):
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                state = states[key // 256]
                reached = None if state is None else read(state, key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    numbers[-1] = 1
    return numbers, [*numbering]


@mistake("make_table", hint=2)
def any_byte_may_follow(trie, token_bytes, numbers, states, follow):
    """Rests wait although no caller goes on with their first byte."""
    at = numbers.take(trie.node_of_token)
    tokens = at.nonzero()[0]
    ended = np.array([state is not None and state.ended for state in states]).take(numbers)
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
    """What the rule does not read to its last byte is refused, and nothing waits for the stack."""
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
    return Table(tokens.astype(np.int32), at[tokens].astype(np.int32), {}, states)


@mistake("make_table", hint=3)
def the_root_ends_a_rule(trie, token_bytes, numbers, states, follow):
    """An end at the root counts, so the whole token is one of its own rests."""
    at = numbers.take(trie.node_of_token)
    tokens = at.nonzero()[0]
    ended = np.array([state is not None and state.ended for state in states]).take(numbers)
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
    """Tokens that wait for the stack are counted as allowed."""
    at = numbers.take(trie.node_of_token)
    ended = np.array([state is not None and state.ended for state in states]).take(numbers)
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
    """A call costs nothing."""
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


@mistake("fewest_tokens", hint=2)
def one_round_of_costs(ends, sources, targets, calls, n_states):
    """Costs are improved once."""
    cost = np.full(n_states, np.inf)
    cost[list(ends)] = 0
    while True:
        found = cost.copy()
        np.minimum.at(found, sources, cost[targets] + 1)
        caller, first, after = calls.T
        np.minimum.at(found, caller, cost[first] + cost[after])
        return found


@mistake("fewest_tokens", hint=1)
def nothing_follows_a_call(ends, sources, targets, calls, n_states):
    """A call costs its rule, and what is left after the call isn't added."""
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


@mistake("allowed_tokens", hint=3)
def all_rests_are_allowed(n_tokens, tables, most):
    """Every token that waits is allowed, whether the stack reads its rest or not."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in tables:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest in table.rests:
            if after.get(rest, 0) <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=1)
def the_last_item_decides(n_tokens, tables, most):
    """Of several items only the last one counts."""
    allowed = np.zeros(n_tokens, bool)
    for table, below, after in [*tables][-1:]:
        allowed[table.tokens[table.costs + below <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed


@mistake("allowed_tokens", hint=2)
def the_stack_costs_nothing(n_tokens, tables, most):
    """A budget forgets what the stack below needs."""
    allowed = np.zeros(n_tokens, bool)
    for table, _below, after in tables:
        allowed[table.tokens[table.costs <= most]] = True
        for rest, cost in after.items():
            if cost <= most:
                allowed[table.rests[rest]] = True
    return allowed
