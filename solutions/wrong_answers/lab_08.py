"""Wrong answers of lab 08: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("string_regex", hint=1)
def four_forms_without_a_group(least=0, most=None):
    """The four forms are joined without a group, so the count after them counts the last one only."""
    if most is not None and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return rf'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair}{count_regex(least, most)})"'


@mistake("string_regex", hint=2)
def half_a_pair_is_a_character(least=0, most=None):
    r"""Any four digits after `\u` are a character, so half a surrogate pair matches, and a whole one counts as two."""
    if most is not None and most < least:
        return NOTHING
    return rf'"(?:[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|\\u{HEX}{{4}}){count_regex(least, most)}"'


@mistake("string_regex", hint=2)
def raw_control_characters(least=0, most=None):
    """Only the quote and the backslash are escaped, so a raw new line is allowed in a string."""
    if most is not None and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    return rf'"(?:[^"\\\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair}){count_regex(least, most)}"'


@mistake("string_regex", hint=3)
def a_most_of_zero_is_no_bound(least=0, most=None):
    """A most of 0 is false in Python, so it is taken for no bound, and any string matches."""
    if most and most < least:
        return NOTHING
    basic = rf"\\u(?:[0-9a-cA-CefEF]{HEX}|[dD][0-7]){HEX}{{2}}"
    pair = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
    char = rf'(?:[^"\\\x00-\x1f\ud800-\udfff]|\\["\\/bfnrt]|{basic}|{pair})'
    return f'"{char}{count_regex(least, most or None)}"'


@mistake("string_regex", hint=1)
def any_text_between_quotes(least=0, most=None):
    """A string is any text between quotes in which quotes have a backslash, a popular but wrong expression."""
    if most is not None and most < least:
        return NOTHING
    return rf'"(?:[^"\\]|\\.){count_regex(least, most)}"'


@mistake("number_regex", hint=2)
def digits_of_all_alphabets(*, integer):
    r"""`\d` stands for the digits, and it matches those of every script."""
    if integer:
        return r"(?:0|-?[1-9]\d*)"
    return r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)"


@mistake("number_regex", hint=2)
def leading_zeros(*, integer):
    """Digits are taken as they come, so a number may start with zeros."""
    if integer:
        return "(?:0+|-?0*[1-9][0-9]*)"
    return r"(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"


@mistake("number_regex", hint=3)
def zero_or_others_without_a_group(*, integer):
    """The bar between zero and all other integers has no group around it."""
    if integer:
        return "0|-?[1-9][0-9]*"
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"


@mistake("spell_character", hint=1)
def escaped_for_json_only(char):
    """The character is escaped for JSON and not for the regular expression, where it keeps its special meaning."""
    if char == "/":
        return r"\\?/"
    plain = json.dumps(char, ensure_ascii=False)[1:-1].replace("\\", r"\\")
    if char.isascii() and char.isprintable():
        return plain
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"


@mistake("spell_character", hint=2)
def escaped_for_the_regex_only(char):
    """The character is escaped for the regular expression, but JSON's own backslash before a quote is missing."""
    if char == "/":
        return r"\\?/"
    if char.isascii() and char.isprintable():
        return re.escape(char)
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"


@mistake("spell_character", hint=3)
def lower_case_digits_only(char):
    """The digits of an escape are only those that Python writes, in lower case."""
    if char == "/":
        return r"\\?/"
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    digits = char.encode("utf-16-be").hex()
    escape = "".join(r"\\u" + digits[start : start + 4] for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"


@mistake("spell_character", hint=2)
def more_than_four_digits(char):
    r"""A character has one escape with all the digits of its number, so `\u1f600` is written for a pair."""
    if char == "/":
        return r"\\?/"
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    digits = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{ord(char):04x}"]
    return rf"(?:{plain}|\\u{''.join(digits)})"


@mistake("array_regex", hint=1)
def a_comma_after_the_last_item(item, least, most, space):
    """A comma may follow the last item, as in a Python list."""
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}(?:{space.comma})?{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"


@mistake("array_regex", hint=2)
def an_array_may_always_be_empty(item, least, most, space):
    """All items together are optional, so an array may be empty although it needs some."""
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"(?:{item})(?:{space.comma}(?:{item})){more}{space.edge}"
    return rf"\[{space.edge}(?:{items})?\]"


@mistake("array_regex", hint=3)
def the_item_is_not_grouped(item, least, most, space):
    """The item is not put into a group, so a bar in it cuts the array in two."""
    if most is not None and most < least:
        return NOTHING
    if most == 0:
        return rf"\[{space.edge}\]"
    more = count_regex(max(least, 1) - 1, None if most is None else most - 1)
    items = f"{item}(?:{space.comma}{item}){more}{space.edge}"
    return rf"\[{space.edge}{items}\]" if least else rf"\[{space.edge}(?:{items})?\]"


@mistake("object_regex", hint=1)
def a_comma_after_each_member_but_one(members, space):
    """Each member but the last of the list brings a comma, also where that last one is missing."""
    if not members:
        return rf"\{{{space.edge}\}}"
    row = ""
    for index, (member, required) in enumerate(members):
        comma = space.comma if index < len(members) - 1 else ""
        row += f"(?:(?:{member}){comma}){'' if required else '?'}"
    needed = any(required for _, required in members)
    return rf"\{{{space.edge}{row}{space.edge}\}}" if needed else rf"\{{{space.edge}(?:{row}{space.edge}|)\}}"


@mistake("object_regex", hint=1)
def every_subset_is_listed(members, space):
    """Every allowed subset of the members is an alternative, twice as many with each optional member."""
    rows = [[]]
    for member, required in members:
        rows = [[*row, f"(?:{member})"] for row in rows] + ([] if required else rows)
    choices = [space.comma.join(row) + (space.edge if row else "") for row in rows]
    return rf"\{{{space.edge}(?:{'|'.join(choices)})\}}"


@mistake("object_regex", hint=2)
def first_member_after_a_required_one(members, space):
    """Every member may be the first one, also those after a required member."""
    beginnings = [""] * all(not required for _, required in members)
    for index, (first, _) in enumerate(members):
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        beginnings.append(f"(?:{first}){''.join(others)}{space.edge}")
    return rf"\{{{space.edge}(?:{'|'.join(beginnings)})\}}"


@mistake("object_regex", hint=3)
def two_edges_in_an_empty_object(members, space):
    """White space may follow the first brace and precede the last one, so an empty object allows it twice."""
    beginnings = []
    for index, (first, required) in enumerate(members):
        others = [f"(?:{space.comma}(?:{other})){'' if needed else '?'}" for other, needed in members[index + 1 :]]
        beginnings.append(f"(?:{first}){''.join(others)}")
        if required:
            break
    else:
        beginnings.append("")
    return rf"\{{{space.edge}(?:{'|'.join(beginnings)}){space.edge}\}}"


@mistake("json_schema_to_regex", hint=2)
def members_are_all_required(schema, *, whitespace="flexible", pointer="", nested=None):
    """`required` is not read, so every key of `properties` must be there."""
    checked, space = check_subset(schema, pointer), policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_regex(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    parts = checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_regex(key, value, space), True) for key, value in values.items()]
    return object_regex(members, space)


@mistake("json_schema_to_regex", hint=2)
def nested_is_not_called(schema, *, whitespace="flexible", pointer="", nested=None):
    """The function compiles inner schemas itself instead of calling `nested`."""
    checked, space = check_subset(schema, pointer), policy(whitespace)
    kind = checked.get("type")
    if "enum" in checked:
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_regex(checked)
    if kind == "array":
        item = json_schema_to_regex(checked["items"], whitespace=whitespace, pointer=below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    below_here = {key: below(pointer, "properties", key) for key, _ in parts}
    values = {k: json_schema_to_regex(part, whitespace=whitespace, pointer=below_here[k]) for k, part in parts}
    members = [(member_regex(key, value, space), key in required) for key, value in values.items()]
    return object_regex(members, space)


@mistake("json_schema_to_regex", hint=2)
def true_is_an_integer(schema, *, whitespace="flexible", pointer="", nested=None):
    """isinstance decides the type of a value, to which True is an int and 2.0 is not."""
    checked, space = check_subset(schema, pointer), policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
        return enum_regex([value for value in checked["enum"] if isinstance(value, types.get(kind, object))])
    if kind not in ("array", "object"):
        return scalar_regex(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_regex(key, value, space), key in required) for key, value in values.items()]
    return object_regex(members, space)


@mistake("json_schema_to_regex", hint=2)
def unknown_keywords_are_dropped(schema, *, whitespace="flexible", pointer="", nested=None):
    """A keyword that the lab does not cover is dropped instead of refused, so forbidden values match."""
    known = ["type", "enum", "properties", "required", "items", "minItems", "maxItems", "minLength", "maxLength"]
    kept = {word: schema[word] for word in known if word in schema} if isinstance(schema, dict) else schema
    checked, space = check_subset(kept, pointer), policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind not in ("array", "object"):
        return scalar_regex(checked)
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    required, parts = checked.get("required", ()), checked["properties"].items()
    values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
    members = [(member_regex(key, value, space), key in required) for key, value in values.items()]
    return object_regex(members, space)


@mistake("shared_text", hint=3)
def class_minus_one_is_the_last(automata):
    """The class -1, which is dead, is used as an index and finds the last class."""
    symbols = {}
    for symbol in sorted({int(bound) for dfa in automata for bound in dfa.bounds}):
        symbols.setdefault(tuple(dfa.class_of(symbol) for dfa in automata), symbol)
    tables = [dfa.transitions.tolist() for dfa in automata]
    texts = {tuple(dfa.initial for dfa in automata): ""}
    waiting = list(texts)
    for states in waiting:
        if all(dfa.accepting[state] for dfa, state in zip(automata, states, strict=True)):
            return texts[states]
        for classes, symbol in symbols.items():
            target = tuple((table[state] or [DEAD])[c] for table, state, c in zip(tables, states, classes, strict=True))
            if DEAD not in target and target not in texts:
                texts[target] = texts[states] + chr(symbol)
                waiting.append(target)
    return None


@mistake("shared_text", hint=2)
def deepest_first(automata):
    """A stack instead of a queue finds some text, and not a shortest one."""
    symbols = {}
    for symbol in sorted({int(bound) for dfa in automata for bound in dfa.bounds}):
        symbols.setdefault(tuple(dfa.class_of(symbol) for dfa in automata), symbol)
    tables = [dfa.transitions.tolist() for dfa in automata]
    texts = {tuple(dfa.initial for dfa in automata): ""}
    waiting = list(texts)
    while waiting:
        states = waiting.pop()
        if all(dfa.accepting[state] for dfa, state in zip(automata, states, strict=True)):
            return texts[states]
        for classes, symbol in symbols.items():
            if DEAD not in classes:
                target = tuple(table[state][c] for table, state, c in zip(tables, states, classes, strict=True))
                if DEAD not in target and target not in texts:
                    texts[target] = texts[states] + chr(symbol)
                    waiting.append(target)
    return None


@mistake("shared_text", hint=1)
def one_that_accepts_is_enough(automata):
    """A text is found where any of the automata accepts, not all of them."""
    symbols = {}
    for symbol in sorted({int(bound) for dfa in automata for bound in dfa.bounds}):
        symbols.setdefault(tuple(dfa.class_of(symbol) for dfa in automata), symbol)
    tables = [dfa.transitions.tolist() for dfa in automata]
    texts = {tuple(dfa.initial for dfa in automata): ""}
    waiting = list(texts)
    for states in waiting:
        if any(dfa.accepting[state] for dfa, state in zip(automata, states, strict=True)):
            return texts[states]
        for classes, symbol in symbols.items():
            if DEAD not in classes:
                target = tuple(table[state][c] for table, state, c in zip(tables, states, classes, strict=True))
                if DEAD not in target and target not in texts:
                    texts[target] = texts[states] + chr(symbol)
                    waiting.append(target)
    return None


@mistake("splice", hint=2)
def a_copy_for_each_place(skeleton, parts):
    """Every place gets a copy of its own, also where the way on is the same."""
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
    """All places of a marker share one copy, so one can enter it here and leave it there."""
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


@mistake("compare_digits", hint=2)
def more_digits_are_greater(bound, orders):
    """Every digit after the last one of the bound makes the number greater, zeros too."""
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
    """Before the point, too, the first digits that differ decide, whatever the lengths."""
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


@mistake("integer_between", hint=3)
def bounds_are_left_out(low, high):
    """The bounds themselves are left out."""

    def unsigned(bound, orders):
        if bound is None or bound < 0:
            return compile_dfa("[0-9]+" if bound is None or 1 in orders else NOTHING)
        return compare_digits(str(bound), orders)

    negated = [None if bound is None else -bound for bound in (low, high)]
    positive = all_of([unsigned(low, (1,)), unsigned(high, (-1,))])
    negative = all_of([unsigned(negated[0], (-1,)), unsigned(negated[1], (1,))])
    either_sign = splice(compile_dfa("p|-n"), {ord("p"): positive, ord("n"): negative})
    return all_of([either_sign, compile_dfa(number_regex(integer=True))])


@mistake("integer_between", hint=2)
def order_after_a_minus_sign(low, high):
    """After a minus sign the order of the digits does not turn round."""

    def unsigned(bound, orders):
        if bound is None or bound < 0:
            return compile_dfa("[0-9]+" if bound is None or 1 in orders else NOTHING)
        return compare_digits(str(bound), orders)

    negated = [None if bound is None else -bound for bound in (low, high)]
    positive = all_of([unsigned(low, (0, 1)), unsigned(high, (-1, 0))])
    negative = all_of([unsigned(negated[0], (0, 1)), unsigned(negated[1], (-1, 0))])
    either_sign = splice(compile_dfa("p|-n"), {ord("p"): positive, ord("n"): negative})
    return all_of([either_sign, compile_dfa(number_regex(integer=True))])
