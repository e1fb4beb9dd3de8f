"""Wrong answers of lab 05: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("finish_reason", hint=2)
def eos_anywhere_is_a_stop(ids, eos_id):
    """You look for EOS in the whole answer, but only the last id counts."""
    return "stop" if eos_id in ids else "length"


@mistake("finish_reason", hint=3)
def eos_is_compared_by_identity(ids, eos_id):
    """You compare ids with `is`, and two equal ids can be different objects."""
    return "stop" if ids and ids[-1] is eos_id else "length"


@mistake("finish_reason", hint=2)
def no_tokens_is_an_error(ids, eos_id):
    """You look at the last id without checking that there is one, so an empty answer gives you an IndexError."""
    return "stop" if ids[-1] == eos_id else "length"


@mistake("read_number", hint=1)
def a_cut_number_is_zero(text, reason):
    """You return 0.0 for an answer that was cut, so nobody can tell it from a real zero."""
    return float(text) if reason == "stop" else 0.0


@mistake("read_number", hint=3)
def faults_are_swallowed(text, reason):
    """You treat a finished answer that isn't a number as if it were cut, so you'd never see that your mask is wrong."""
    try:
        return float(text) if reason == "stop" else None
    except ValueError:
        return None


@mistake("read_number", hint=2)
def what_parses_is_trusted(text, reason):
    """You trust any text that parses as a number, whatever the finish reason says."""
    try:
        return float(text)
    except ValueError:
        return None


@mistake("read_number", hint=3)
def zero_is_no_number(text, reason):
    """You test the number for truth, and 0 is false, so a finished 0 looks like no answer."""
    return (float(text) or None) if reason == "stop" else None


@mistake("predecessors", hint=3)
def loops_are_left_out(table):
    """You leave out transitions from a state to itself. They bring you no nearer to the end, but they're still
    transitions.
    """
    before = [set() for _ in table]
    for state, row in enumerate(table):
        for target in row.values():
            if target != state:
                before[target].add(state)
    return before


@mistake("predecessors", hint=3)
def one_set_for_all_states(table):
    """You multiply a list with one set in it, so all your states share that set."""
    before = [set()] * len(table)
    for state, row in enumerate(table):
        for target in row.values():
            before[target].add(state)
    return before


@mistake("predecessors", hint=1)
def transitions_as_they_are(table):
    """You don't reverse the transitions, so each state gets the states after it instead of those before it."""
    return [set(row.values()) for row in table]


@mistake("tokens_to_accept", hint=3)
def by_recursion(table, accepting):
    """Your function calls itself for the states before, so a long automaton goes deeper than Python's stack."""
    before, distance = predecessors(table), np.full(len(table), np.inf)

    def visit(state, tokens):
        if tokens < distance[state]:
            distance[state] = tokens
            for earlier in before[state]:
                visit(earlier, tokens + 1)

    for state in accepting:
        visit(state, 0)
    return distance


@mistake("tokens_to_accept", hint=2)
def depth_first(table, accepting):
    """You take the newest state first, so you may reach a state on a detour and count that."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = list(accepting)
    while waiting:
        state = waiting.pop()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=1)
def eos_is_counted_twice(table, accepting):
    """You count EOS into the distances, and the budget mask counts it again."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    distance[list(accepting)] = 1
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=3)
def from_one_accepting_state(table, accepting):
    """You search from one accepting state only, but a match may end in another."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    waiting = deque(sorted(accepting)[-1:])
    distance[list(waiting)] = 0
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=2)
def never_is_minus_one(table, accepting):
    """You write -1 for never, but -1 is less than any distance, so a state that never gets there looks like the
    nearest.
    """
    before, distance = predecessors(table), np.full(len(table), -1.0)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == -1:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("tokens_to_accept", hint=3)
def uses_up_the_accepting_states(table, accepting):
    """You use the caller's own collection as your queue, so it's empty when you're done."""
    before, distance = predecessors(table), np.full(len(table), np.inf)
    distance[list(accepting)] = 0
    waiting = deque(accepting)
    if isinstance(accepting, (set, list)):
        accepting.clear()
    while waiting:
        state = waiting.popleft()
        for earlier in before[state]:
            if distance[earlier] == np.inf:
                distance[earlier] = distance[state] + 1
                waiting.append(earlier)
    return distance


@mistake("budget_row", hint=3)
def budget_row_drops_eos(row, transitions, distance, remaining):
    """You make the new mask from the transitions alone. EOS has none, so you lose it."""
    enough = np.zeros_like(row)
    for token_id, target in transitions.items():
        enough[token_id] = row[token_id] and distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def eos_needs_no_room(row, transitions, distance, remaining):
    """You leave no room for EOS, so you get a whole match and no token to end it with."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 1 <= remaining
    return enough


@mistake("budget_row", hint=2)
def just_enough_is_too_little(row, transitions, distance, remaining):
    """You forbid a token even if the text would just fit after it, but just enough is enough."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 < remaining
    return enough


@mistake("budget_row", hint=2)
def forbidden_tokens_come_back(row, transitions, distance, remaining):
    """You allow every token that can finish, even if the row you were given forbids it."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] = distance[target] + 2 <= remaining
    return enough


@mistake("budget_row", hint=2)
def relaxed_when_it_is_late(row, transitions, distance, remaining):
    """When no token fits the budget, you return the row as it was, so the answer may be cut after all."""
    enough = row.copy()
    for token_id, target in transitions.items():
        enough[token_id] &= distance[target] + 2 <= remaining
    return enough if enough.any() else row.copy()


@mistake("budget_row", hint=3)
def writes_into_the_callers_row(row, transitions, distance, remaining):
    """You change the caller's row in place, and it may be one that's kept for its state."""
    for token_id, target in transitions.items():
        row[token_id] &= distance[target] + 2 <= remaining
    return row


@mistake("generate_within", hint=1)
def ends_at_the_first_accepting_state(model, fsm, table, vocabulary, max_tokens, us=None):
    """You add EOS as soon as the automaton accepts, without asking the model whether it wants to stop."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while state not in fsm.accepting:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return [*ids, vocabulary.eos_id]


@mistake("generate_within", hint=2)
def hopeless_budgets_are_tried(model, fsm, table, vocabulary, max_tokens, us=None):
    """You don't check in advance whether the budget can be enough, so your mask ends up empty."""
    distance = tokens_to_accept(table, fsm.accepting)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def the_budget_never_shrinks(model, fsm, table, vocabulary, max_tokens, us=None):
    """You mask every step as if you still had the whole budget."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens)
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=2)
def the_refusal_forgets_eos(model, fsm, table, vocabulary, max_tokens, us=None):
    """You compare the budget with the tokens of the shortest match, but EOS needs one as well."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]))
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids))
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids


@mistake("generate_within", hint=3)
def this_token_is_taken_off_early(model, fsm, table, vocabulary, max_tokens, us=None):
    """You take the next token off the budget yourself, and the mask counts it again."""
    distance = tokens_to_accept(table, fsm.accepting)
    if distance[fsm.initial] + 1 > max_tokens:
        raise BudgetTooSmall(max_tokens, float(distance[fsm.initial]) + 1)
    ids, state = [], fsm.initial
    while not ids or ids[-1] != vocabulary.eos_id:
        row = budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, max_tokens - len(ids) - 1)
        ids.append(choose(mask_logits(model(ids), row), None if us is None else us[len(ids)]))
        state = table[state].get(ids[-1], state)
    return ids
