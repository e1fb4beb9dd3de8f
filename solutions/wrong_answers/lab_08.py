"""Wrong answers of lab 08: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("number_tree", hint=2)
def digits_of_all_alphabets(*, integer):
    r"""You use `\d`, and it matches the digits of every script, not just 0 to 9."""
    if integer:
        return read(r"0|-?[1-9]\d*")
    return read(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


@mistake("number_tree", hint=2)
def leading_zeros(*, integer):
    """You take the digits as they come, so a number may start with zeros."""
    if integer:
        return read("0+|-?0*[1-9][0-9]*")
    return read(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@mistake("number_tree", hint=3)
def zero_may_have_a_sign(*, integer):
    """You put the sign in front of both alternatives, so you accept -0 as an integer."""
    if integer:
        return read("-?(?:0|[1-9][0-9]*)")
    return read(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@mistake("string_tree", hint=1)
def the_count_is_around_the_last_form(least=0, most=None):
    """You put the count around the last of the four forms instead of around all of them, so you only count pairs."""
    if most is not None and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    forms = [read(form) for form in (r'[^"\\\x00-\x1f\ud800-\udfff]', r'\\["\\/bfnrt]', basic)]
    return row(char('"'), choice([*forms, times(read(pair), least, most)]), char('"'))


@mistake("string_tree", hint=2)
def half_a_pair_is_a_character(least=0, most=None):
    r"""You take any four digits after `\u` for a character, so you accept half a surrogate pair, and count a whole one
    twice.
    """
    if most is not None and most < least:
        return NOTHING
    form = rf'[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|\\u{HEX}{{4}}'
    return row(char('"'), times(read(form), least, most), char('"'))


@mistake("string_tree", hint=2)
def raw_control_characters(least=0, most=None):
    """You don't rule out the control characters, so you allow a raw new line in a string."""
    if most is not None and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    form = rf'[^"\\\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair}'
    return row(char('"'), times(read(form), least, most), char('"'))


@mistake("string_tree", hint=3)
def a_most_of_zero_is_no_bound(least=0, most=None):
    """You test `most` for truth, and 0 is false. So a limit of 0 counts as none, and any string matches."""
    if most and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    form = rf'[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair}'
    return row(char('"'), times(read(form), least, most or None), char('"'))


@mistake("string_tree", hint=1)
def any_text_between_quotes(least=0, most=None):
    r"""You take any text with a backslash before its quotes. That's popular, but it allows `\a` and raw new lines."""
    if most is not None and most < least:
        return NOTHING
    return row(char('"'), times(read(r'[^"\\]|\\.'), least, most), char('"'))


@mistake("object_tree", hint=1)
def a_comma_after_each_member_but_one(members, space):
    """You give a comma to each member but the last of the list, even when that last one is missing."""
    if not members:
        return row(char("{"), space.edge, char("}"))
    parts = []
    for index, (member, required) in enumerate(members):
        part = row(member, space.comma) if index < len(members) - 1 else member
        parts.append(part if required else optional(part))
    inside = row(*parts, space.edge)
    needed = any(required for _, required in members)
    return row(char("{"), space.edge, inside if needed else optional(inside), char("}"))


@mistake("object_tree", hint=1)
def every_subset_is_listed(members, space):
    """You list every allowed subset. Each optional member doubles their number, so let them share what follows."""
    rows = [[]]
    for member, required in members:
        rows = [[*before, member] for before in rows] + ([] if required else rows)
    inside = [[part for member in each for part in (space.comma, member)][1:] for each in rows]
    return row(char("{"), space.edge, choice([row(*each, space.edge) if each else EMPTY for each in inside]), char("}"))


@mistake("object_tree", hint=2)
def first_member_after_a_required_one(members, space):
    """You let any member come first, even one after a required member, so the required one can be missing."""
    starts, after = [], space.edge
    for member, required in reversed(members):
        starts.append(row(member, after))
        with_comma = row(space.comma, member)
        after = row(with_comma if required else optional(with_comma), after)
    if not any(required for _, required in members):
        starts.append(EMPTY)
    return row(char("{"), space.edge, choice(starts), char("}"))


@mistake("object_tree", hint=3)
def two_edges_in_an_empty_object(members, space):
    """You allow white space after the first brace and before the last one, so an empty object can have it twice."""
    starts, after = [], EMPTY
    for member, required in reversed(members):
        starts = [] if required else starts
        starts.append(row(member, after))
        with_comma = row(space.comma, member)
        after = row(with_comma if required else optional(with_comma), after)
    if not any(required for _, required in members):
        starts.append(EMPTY)
    return row(char("{"), space.edge, choice(starts), space.edge, char("}"))


@mistake("schema_tree", hint=2)
def members_are_all_required(schema, *, space, pointer="", nested=None):
    """You don't read `required`, so you demand every key of `properties`."""
    checked = check_subset(schema, pointer)
    inner = nested or (lambda child, where: schema_tree(child, space=space, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        return enum_tree([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_tree(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_tree(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    parts = checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_tree(key, value, space), True) for key, value in values.items()]
    return object_tree(members, space)


@mistake("schema_tree", hint=2)
def nested_is_not_called(schema, *, space, pointer="", nested=None):
    """You compile inner schemas yourself instead of calling `inner`, so an engine can't put in trees of its own."""
    checked = check_subset(schema, pointer)

    def inner(child, where):
        return schema_tree(child, space=space, pointer=where)

    kind = checked.get("type")
    if "enum" in checked:
        return enum_tree([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_tree(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_tree(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_tree(key, value, space), key in required) for key, value in values.items()]
    return object_tree(members, space)


@mistake("schema_tree", hint=2)
def true_is_an_integer(schema, *, space, pointer="", nested=None):
    """You let isinstance decide the type of a value, but to isinstance, True is an int, and 2.0 isn't."""
    checked = check_subset(schema, pointer)
    inner = nested or (lambda child, where: schema_tree(child, space=space, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
        return enum_tree([value for value in checked["enum"] if isinstance(value, types.get(kind, object))])
    if kind not in ("array", "object"):
        return scalar_tree(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_tree(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_tree(key, value, space), key in required) for key, value in values.items()]
    return object_tree(members, space)


@mistake("schema_tree", hint=2)
def unknown_keywords_are_dropped(schema, *, space, pointer="", nested=None):
    """You drop a keyword that the lab doesn't cover instead of refusing it, so you let forbidden values match."""
    known = ["type", "enum", "properties", "required", "items", "minItems", "maxItems", "minLength", "maxLength"]
    kept = {word: schema[word] for word in known if word in schema} if isinstance(schema, dict) else schema
    checked = check_subset(kept, pointer)
    inner = nested or (lambda child, where: schema_tree(child, space=space, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        return enum_tree([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_tree(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_tree(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_tree(key, value, space), key in required) for key, value in values.items()]
    return object_tree(members, space)


@mistake("product", hint=2)
def one_dead_side_kills_both(left, right, accepts):
    """You let the product die as soon as one side dies. That's fine for an intersection, but a union can go on."""
    bounds, pair_of_interval = shared_intervals(left, right)
    classes, columns = number_pairs(pair_of_interval)
    lefts, rights = target_lists(left, right, columns)
    pairs = {(left.initial, right.initial): 0}
    waiting, rows = list(pairs), []
    for one, other in waiting:
        row = []
        for target in zip(lefts[one], rights[other], strict=True):
            dead = DEAD in target
            if not dead and target not in pairs:
                check_table(len(pairs) + 1, len(columns))
                pairs[target] = len(pairs)
                waiting.append(target)
            row.append(DEAD if dead else pairs[target])
        rows.append(row)
    accepting = [accepts(is_accepting(left, one), is_accepting(right, other)) for one, other in pairs]
    return Dfa(bounds, classes, rows, initial=0, accepting=accepting, symbols=left.symbols)


@mistake("product", hint=2)
def a_dead_side_reads_the_last_state(left, right, accepts):
    """You look up `accepting` with -1 for a dead side, and that's the last state. ``is_accepting`` knows better."""
    bounds, pair_of_interval = shared_intervals(left, right)
    classes, columns = number_pairs(pair_of_interval)
    lefts, rights = target_lists(left, right, columns)
    pairs = [(left.initial, right.initial)]
    numbers = {pairs[0]: 0, (DEAD, DEAD): DEAD}
    rows = []
    for one, other in pairs:
        row = []
        for target in zip(lefts[one], rights[other], strict=True):
            if target not in numbers:
                check_table(len(pairs) + 1, len(columns))
                numbers[target] = len(pairs)
                pairs.append(target)
            row.append(numbers[target])
        rows.append(row)
    accepting = [accepts(bool(left.accepting[one]), bool(right.accepting[other])) for one, other in pairs]
    return Dfa(bounds, classes, rows, initial=0, accepting=accepting, symbols=left.symbols)


@mistake("splice", hint=2)
def a_copy_for_each_place(skeleton, parts):
    """You make a copy for every place. Places that lead to the same state must share one, or there are too many."""
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target != DEAD:
                copy = add_copy(nfa, part, first + target)
                nfa.epsilon[first + state].append(copy + part.initial)
    return minimize_dfa(nfa_to_dfa(nfa))


@mistake("splice", hint=2)
def one_copy_for_each_marker(skeleton, parts):
    """You let all places of a marker share one copy, so a text can go in at one place and come out at another."""
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        copies = {}
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target != DEAD:
                if marker not in copies:
                    copies[marker] = add_copy(nfa, part, first + target), len(nfa)
                start = copies[marker][0]
                nfa.epsilon[first + state].append(start + part.initial)
                for final in np.flatnonzero(part.accepting).tolist():
                    nfa.epsilon[start + final].append(first + target)
    return minimize_dfa(nfa_to_dfa(nfa))


@mistake("splice", hint=2)
def parts_start_in_state_0(skeleton, parts):
    """You enter each copy at its state 0, but a part may start in another. Add the number of its initial state."""
    nfa = Nfa()
    first = add_copy(nfa, skeleton, nfa.accepting, without=parts)
    nfa.initial = first + skeleton.initial
    for marker, part in parts.items():
        copies = {}
        for state in range(len(skeleton)):
            target = skeleton.step(state, marker)
            if target == DEAD:
                continue
            if target not in copies:
                copies[target] = add_copy(nfa, part, first + target)
            nfa.epsilon[first + state].append(copies[target])
    return minimize_dfa(nfa_to_dfa(nfa))


@mistake("compare_digits", hint=2)
def more_digits_are_greater(bound, orders):
    """You take a number with more digits after the point for a greater one, even if they're only zeros."""
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "/"
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state):
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])


@mistake("compare_digits", hint=2)
def the_first_difference_decides(bound, orders):
    """You let the first different digit decide before the point, too. There, the longer number is greater."""
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, order or (count > len(whole)) - (count < len(whole))
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state):
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])


@mistake("compare_digits", hint=2)
def the_length_is_ignored(bound, orders):
    """You let the first digit decide, but before the point, the length comes first."""
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state):
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])


@mistake("compare_digits", hint=2)
def digits_that_are_left_are_forgotten(bound, orders):
    """You forget the digits that the bound has left: 17 looks equal to 17.5, but it's less."""
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"
        return part, min(count + 1, len(digits) + 1), order or (char > expected) - (char < expected)

    def accepts(state):
        return (state if state[0] == "fraction" else step(state, "."))[2] in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])


@mistake("compare_digits", hint=2)
def counted_no_further_than_the_bound(bound, orders):
    """You stop counting at the bound's last digit, so a longer number looks as long. Count one digit more."""
    whole, _, fraction = bound.partition(".")

    def step(state, char):
        part, count, order = state
        if char == ".":
            return "fraction", 0, (count > len(whole)) - (count < len(whole)) or order
        digits = whole if part == "whole" else fraction
        expected = digits[count : count + 1] or "0"
        return part, min(count + 1, len(digits)), order or (char > expected) - (char < expected)

    def accepts(state):
        _, count, order = state if state[0] == "fraction" else step(state, ".")
        return (order or -(count < len(fraction))) in orders

    compared = explore(("whole", 0, 0), step, accepts, "0123456789.")
    return all_of([compared, compile_dfa(r"(0|[1-9][0-9]*)(\.[0-9]+)?")])
