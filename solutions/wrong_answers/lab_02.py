"""Wrong answers of lab 02: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("advance", hint=3)
def a_missing_key_is_an_error(fsm, state, text):
    """A missing transition is looked up with brackets, so a dead token raises a KeyError."""
    for char in text:
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=1)
def ignores_the_given_state(fsm, state, text):
    """The walk starts in the initial state, not in the given one."""
    state = fsm.initial
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=2)
def last_live_state(fsm, state, text):
    """The walk stops at the dead character and returns the last live state."""
    for char in text:
        if char not in fsm.transitions[state]:
            return state
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=1)
def looks_up_the_whole_text(fsm, state, text):
    """The text is looked up as if it were one character, so nothing longer is ever alive."""
    return fsm.transitions[state].get(text) if text else state


@mistake("advance", hint=3)
def minus_one_for_dead(fsm, state, text):
    """A dead walk returns -1 instead of None, and as an index -1 means the last state."""
    for char in text:
        if char not in fsm.transitions[state]:
            return -1
        state = fsm.transitions[state][char]
    return state


@mistake("advance", hint=2)
def only_accepting_states_are_alive(fsm, state, text):
    """A walk that does not end in an accepting state counts as dead, so no number can be started."""
    for char in text:
        if char not in fsm.transitions[state]:
            return None
        state = fsm.transitions[state][char]
    return state if state in fsm.accepting else None


@mistake("advance", hint=2)
def skips_what_does_not_fit(fsm, state, text):
    """A character without a transition is skipped, and the walk continues after it."""
    for char in text:
        state = fsm.transitions[state].get(char, state)
    return state


@mistake("advance", hint=3)
def state_zero_is_dead(fsm, state, text):
    """The next state is tested for truth, so a walk that returns to state 0 counts as dead."""
    for char in text:
        state = fsm.transitions[state].get(char)
        if not state:
            return None
    return state


@mistake("advance", hint=3)
def the_empty_text_leads_nowhere(fsm, state, text):
    """The empty text gives None, although it leads back to the state."""
    after = None
    for char in text:
        after = fsm.transitions[state].get(char)
        if after is None:
            return None
        state = after
    return after


@mistake("advance", hint=1)
def walks_kept_by_state(fsm, state, text, kept={}):
    """Walks are kept by state and text, so another automaton of that size gets the first one's."""
    key = (len(fsm), int(state), text)
    if key not in kept:
        for char in text:
            state = fsm.transitions[state].get(char) if state is not None else None
        kept[key] = state
    return kept[key]


@mistake("advance", hint=3)
def walks_one_character(fsm, state, text):
    """Only the first character of the text is walked."""
    return fsm.transitions[state].get(text[0]) if text else state


@mistake("token_mask", hint=1)
def always_from_the_start(fsm, state, texts):
    """Each token is walked from the initial state, as if nothing had been written."""
    return np.array([bool(text) and advance(fsm, fsm.initial, text) is not None for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=2)
def empty_token_allowed(fsm, state, texts):
    """The empty token is allowed, because the automaton survives the empty text; so the model can emit it for ever."""
    return np.array([text is not None and advance(fsm, state, text) is not None for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=1)
def masks_kept_by_state(fsm, state, texts, kept={}):
    """Masks are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""
    key = (int(state), len(fsm), len(texts))
    if key not in kept:
        alive = [bool(text) and advance(fsm, state, text) is not None for text in texts]
        kept[key] = np.array(alive, dtype=np.bool_)
    return kept[key].copy()


@mistake("token_mask", hint=3)
def no_tokens_make_floats(fsm, state, texts):
    """The dtype is left to NumPy, which makes float64 of an empty list."""
    return np.array([bool(text) and advance(fsm, state, text) is not None for text in texts])


@mistake("token_mask", hint=1)
def only_the_first_character(fsm, state, texts):
    """A token is allowed if its first character is, whatever comes after it."""
    return np.array([bool(text) and text[0] in fsm.transitions[state] for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=2)
def state_carried_between_tokens(fsm, state, texts):
    """Each token that is tried moves the state, so the next one is walked from where it ended."""
    allowed = []
    for text in texts:
        after = advance(fsm, state, text) if text else None
        allowed.append(after is not None)
        state = state if after is None else after
    return np.array(allowed, dtype=np.bool_)


@mistake("token_mask", hint=1)
def state_fixed_within_a_token(fsm, state, texts):
    """Every character of the token is looked up in the current state, as if the state did not change within a token."""
    row = fsm.transitions[state]
    return np.array([bool(text) and all(char in row for char in text) for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=2)
def state_zero_is_false(fsm, state, texts):
    """The state is tested for truth, and state 0 is false."""
    return np.array([bool(text) and bool(advance(fsm, state, text)) for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=3)
def the_first_id_of_a_text(fsm, state, texts):
    """The id is looked up by the text, so of two ids with one text the second is never allowed."""
    mask = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and advance(fsm, state, text) is not None:
            mask[texts.index(text)] = True
    return mask


@mistake("token_mask", hint=1)
def tokens_may_not_cross_atoms(fsm, state, texts):
    """A token may not cross several atoms: it must stay in its state or move on by one."""
    return np.array([bool(text) and advance(fsm, state, text) in (state, state + 1) for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=1)
def wants_an_accepting_state(fsm, state, texts):
    """A token is allowed only if it completes a match, so nothing unfinished is ever written."""
    return np.array([bool(text) and advance(fsm, state, text) in fsm.accepting for text in texts], dtype=np.bool_)


@mistake("token_mask", hint=2)
def white_space_is_no_text(fsm, state, texts):
    """A token of white space alone counts as a token without text."""
    alive = [bool(text and text.strip()) and advance(fsm, state, text) is not None for text in texts]
    return np.array(alive, dtype=np.bool_)


@mistake("generate", hint=2)
def asks_the_model_too_early(model, fsm, texts, us):
    """The model is called before the mask is checked, so it is called once more than tokens are emitted."""
    ids, state = [], fsm.initial
    for u in us:
        logits = model(ids)
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(logits, allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def each_token_from_the_start(model, fsm, texts, us):
    """After each token the state is that of the token alone, walked from the initial state."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts) if state is not None else np.zeros(len(texts), np.bool_)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, fsm.initial, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def empty_mask_not_checked(model, fsm, texts, us):
    """Nothing checks whether any token is allowed, so softmax gets only minus infinities."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=3)
def ends_in_state_zero(model, fsm, texts, us):
    """The state is tested for truth, so generation ends where it comes back to state 0."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any() or (ids and not state):
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def forced_tokens_without_the_model(model, fsm, texts, us):
    """Where only one token is allowed, it is emitted without calling the model."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        forced = allowed.sum() == 1
        ids.append(int(allowed.argmax()) if forced else sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=3)
def masks_the_models_own_logits(model, fsm, texts, us):
    """Minus infinity is written into the model's own array, which may be the same one at each step."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        logits = model(ids)
        logits[~allowed] = -np.inf
        ids.append(sample(softmax(logits), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def minus_infinity_becomes_zero(model: Model, fsm: Fsm, texts: Sequence[str | None], us: Sequence[float]) -> list[int]:
    """A token that the model itself rules out, with minus infinity, gets the logit 0."""
    ids: list[int] = []
    state: int | None = fsm.initial
    for u in us:
        assert state is not None  # only tokens that the automaton survives are ever chosen
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(np.nan_to_num(model(ids), neginf=0.0), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]] or "")
    return ids


@mistake("generate", hint=2)
def moves_by_one_character(model, fsm, texts, us):
    """After a token the state advances by the token's first character only."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]][0])
    return ids


@mistake("generate", hint=3)
def numbers_tested_for_truth(model, fsm, texts, us):
    """The numbers u are tested for truth, which an array of them does not have."""
    ids, state = [], fsm.initial
    while us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us[0]))
        us, state = us[1:], advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def only_the_last_id_for_the_model(model, fsm, texts, us):
    """The model gets the last id alone, so it cannot know what was written before."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids[-1:]), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=3)
def starts_in_state_zero(model, fsm, texts, us):
    """Generation starts in state 0, although the initial state may be another."""
    ids, state = [], 0
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=2)
def stops_at_the_first_accepting_state(model, fsm, texts, us):
    """Generation ends as soon as the automaton accepts, although more may follow."""
    ids, state = [], fsm.initial
    for u in us:
        allowed = token_mask(fsm, state, texts)
        if not allowed.any() or state in fsm.accepting:
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("generate", hint=3)
def uses_up_the_numbers(model, fsm, texts, us):
    """Each step removes its number u from the caller's list."""
    ids, state = [], fsm.initial
    while len(us):
        allowed = token_mask(fsm, state, texts)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us.pop(0)))
        state = advance(fsm, state, texts[ids[-1]])
    return ids


@mistake("parse_escape", hint=2)
def capital_letters_are_controls(pattern, position):
    """A capital N after a backslash is read as a newline too, although other engines give it another meaning
    or none.
    """
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.lower() in CONTROLS:
        return CONTROLS[char.lower()], position + 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2


@mistake("parse_escape", hint=3)
def digits_may_be_escaped(pattern, position):
    r"""Only letters are refused after a backslash, so the backreference `\1` is read as the digit 1."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalpha() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=2)
def error_at_the_letter(pattern, position):
    """The error is at the letter after the backslash, but the escape starts at the backslash."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position + 1)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def guesses_unknown_escapes(pattern, position):
    r"""A letter after a backslash is read as itself, so `\d` silently means the letter d."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def last_backslash_forgotten(pattern, position):
    """Nothing checks that a character follows the backslash, so a pattern that ends with one raises an IndexError."""
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=1)
def n_is_the_letter_n(pattern, position):
    r"""The control letters are accepted but not translated: `\n` means the letter n."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isascii() and char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2


@mistake("parse_escape", hint=2)
def non_ascii_letters_refused(pattern, position):
    """`isalnum` is asked alone, and it is true for the letters of every alphabet."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char.isalnum() and char not in CONTROLS:
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return CONTROLS.get(char, char), position + 2


@mistake("parse_escape", hint=3)
def the_length_for_the_position(pattern, position):
    """The length of the escape is returned instead of the position after it."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, 2


@mistake("parse_escape", hint=3)
def white_space_cannot_be_escaped(pattern, position):
    """An escaped space is refused, although a backslash before it means the space."""
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], position + 2
    if char.isspace() or (char.isascii() and char.isalnum()):
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2


@mistake("parse_item", hint=3)
def an_item_that_cannot_grow(pattern, position):
    """The characters are returned as a frozenset, although a set was promised."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return frozenset(first), after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    return frozenset(chr(code) for code in range(ord(first), ord(last) + 1)), after


@mistake("parse_item", hint=3)
def backward_range_is_empty(pattern, position):
    """A range that runs backwards gives no characters and no error."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=3)
def both_ends_and_nothing_between(pattern, position):
    """A range gives its two ends and leaves out the characters between them."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {first, last}, after


@mistake("parse_item", hint=3)
def equal_ends_run_backwards(pattern, position):
    """A range of one character is refused as if it ran backwards."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last <= first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=2)
def escaped_end_read_raw(pattern, position):
    """The end of a range is read without its escape, so an escaped end becomes the backslash."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last = pattern[after + 1]
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after + 2


@mistake("parse_item", hint=2)
def every_hyphen_makes_a_range(pattern, position):
    """A hyphen before the closing bracket is taken for a range that ends at the bracket."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or after + 1 == len(pattern):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=2)
def first_hyphen_makes_no_range(pattern, position):
    """A hyphen at the start of a class never starts a range, so `[--a]` is not read as one."""
    first, after = read_char(pattern, position)
    no_range = pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", "")
    if no_range or pattern[position - 1 : position + 1] == "[-":
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=2)
def hyphen_at_the_patterns_end(pattern, position):
    """A hyphen that ends the pattern starts a range without an end, and reading on raises an IndexError."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] == "]":
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=1)
def hyphen_looked_for_after_the_backslash(pattern, position):
    """The hyphen is looked for one character on, which after an escape is the middle of the escape."""
    first, after = read_char(pattern, position)
    if pattern[position + 1 : position + 2] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, position + 2)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


@mistake("parse_item", hint=3)
def items_add_up(pattern, position, chars=set()):
    """The set is a default argument, which is made once, so it still holds the characters of earlier items."""
    first, after = read_char(pattern, position)
    last = first
    if pattern[after : after + 1] == "-" and pattern[after + 1 : after + 2] not in ("]", ""):
        last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    chars |= {chr(code) for code in range(ord(first), ord(last) + 1)}
    return set(chars), after


@mistake("parse_item", hint=2)
def range_without_its_end(pattern, position):
    """`range` leaves out its end, so the last character of a range is missing."""
    first, after = read_char(pattern, position)
    if pattern[after : after + 1] != "-" or pattern[after + 1 : after + 2] in ("]", ""):
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern("the range runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last))}, after


@mistake("parse_class", hint=3)
def a_class_that_can_grow(pattern, position):
    """The characters are returned as a set, although a frozenset was promised."""
    after, chars = position + 1, set()
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return chars, after + 1


@mistake("parse_class", hint=2)
def an_unclosed_class_comes_first(pattern, position):
    """The closing bracket is looked for before anything is read, so an unclosed class hides the fault to its left."""
    if "]" not in pattern[position:]:
        raise InvalidPattern("this class is never closed", pattern, position)
    after, chars = position + 1, set()
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def characters_of_earlier_classes(pattern, position, chars=set()):
    """The set is a default argument, which is made once, so it still holds the characters of earlier classes."""
    after = position + 1
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    if pattern.startswith("]", after):
        raise InvalidPattern("this class is empty", pattern, position)
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1


@mistake("parse_class", hint=1)
def closes_at_an_escaped_bracket(pattern, position):
    """The closing bracket is searched for first, and the search finds an escaped one."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    end, after, chars = pattern.find("]", position), position + 1, set()
    if end == -1:
        raise InvalidPattern("this class is never closed", pattern, position)
    while after < end:
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), end + 1


@mistake("parse_class", hint=3)
def empty_class_is_accepted(pattern, position):
    """An empty class is accepted, and becomes an atom that matches nothing."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1


@mistake("parse_class", hint=2)
def error_at_the_patterns_end(pattern, position):
    """An unclosed class is reported at the end of the pattern, not where the class starts."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, after)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def every_caret_negates(pattern, position):
    """A caret is refused anywhere in a class, although only the first place gives it a meaning."""
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        if pattern[after] == "^":
            raise UnsupportedPattern("a negated class '[^'", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def first_bracket_is_a_literal(pattern, position):
    """A closing bracket right after the opening one is read as a character, as POSIX and Python do."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not chars or not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    return frozenset(chars), after + 1


@mistake("parse_class", hint=2)
def item_errors_moved_to_the_class(pattern, position):
    """Errors of an item are reported where the class starts, not at the item."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        try:
            more, after = parse_item(pattern, after)
        except (InvalidPattern, UnsupportedPattern) as error:
            raise type(error)(error.problem, pattern, position) from error
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def last_item_replaces_the_others(pattern, position):
    """Each item replaces what was collected before it."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        chars, after = parse_item(pattern, after)
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def negation_is_a_character(pattern, position):
    """The caret after the opening bracket is read as a character, so the class means nearly the opposite."""
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=3)
def stops_at_the_bracket(pattern, position):
    """The returned position is that of the closing bracket, not the one after it."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after


@mistake("parse_class", hint=2)
def unclosed_class_is_accepted(pattern, position):
    """The end of the pattern closes a class, as a bracket does."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while after < len(pattern) and pattern[after] != "]":
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_class", hint=2)
def unclosed_class_runs_over(pattern, position):
    """The loop does not check for the pattern's end, so an unclosed class raises an IndexError."""
    if pattern.startswith("^", position + 1):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars, after = set(), position + 1
    while pattern[after] != "]":
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty", pattern, position)
    return frozenset(chars), after + 1


@mistake("parse_atoms", hint=3)
def anchors_are_skipped(pattern):
    """`^` and `$` are skipped because the whole text is matched anyway, so `a^b` becomes `ab`."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char in "^$":
            here += 1
            continue
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def atoms_are_made_last(pattern):
    """The whole pattern is cut before any atom is made, so a class that is too large is found after faults to its
    right.
    """
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    pieces, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if pieces else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        pieces.append((chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return [Atom(*piece) for piece in pieces]


@mistake("parse_atoms", hint=1)
def atoms_of_earlier_patterns(pattern, atoms=[]):
    """The list is a default argument, which is made once, so it still holds the atoms of earlier patterns."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    here = 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if here else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return list(atoms)


@mistake("parse_atoms", hint=2)
def double_plus_is_invalid(pattern):
    """A second plus is called malformed, like a plus at the start, although other engines give it a meaning."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def double_pluses_come_first(pattern):
    """Double pluses are looked for in the whole pattern first, so they hide a fault to their left."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    if "++" in pattern[1:]:
        raise UnsupportedPattern("'+' after '+'", pattern, pattern.index("++", 1) + 1)
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def first_plus_is_a_character(pattern):
    """A plus that has nothing to repeat is read as the character plus."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+" and atoms:
            raise UnsupportedPattern("'+' after '+'", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def lone_closing_bracket_refused(pattern):
    """A closing bracket outside a class is refused, although it is a character like any other."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "]" or (char == "+" and not atoms):
            raise InvalidPattern(f"{char!r} belongs to nothing", pattern, here)
        if char in UNSUPPORTED or char == "+":
            raise UnsupportedPattern(UNSUPPORTED.get(char, "'+' after '+'"), pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def one_text_for_all_errors(pattern):
    """Every unsupported character gets the same text, although UNSUPPORTED has one for each."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+" and not atoms:
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char == "+" or char in UNSUPPORTED:
            raise UnsupportedPattern("an unsupported character", pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def plus_swallows_plus(pattern):
    """Several pluses are read as one, although the second has a meaning elsewhere and must be refused."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char, start = pattern[here], here
        if char == "+":
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, here = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        after = here
        while pattern.startswith("+", here):
            here += 1
        atoms.append(Atom(chars, here > after, pattern[start:here], start))
    return atoms


@mistake("parse_atoms", hint=3)
def position_counts_atoms(pattern):
    """An atom's position is its number in the sequence, not its place in the pattern."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], len(atoms)))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def source_without_its_plus(pattern):
    """An atom's source ends before its plus, so the sources no longer join to the pattern."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here:after], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=3)
def unknown_characters_are_literals(pattern):
    """Characters with a meaning elsewhere are read as literals, so `a|b` expects a bar."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded("the pattern is too long", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char == "+":
            kind = UnsupportedPattern if atoms else InvalidPattern
            raise kind("'+' with nothing to repeat", pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("parse_atoms", hint=2)
def white_space_is_skipped(pattern):
    """White space between atoms is skipped, although a space is a character of the pattern like any other."""
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    atoms, here = [], 0
    while here < len(pattern):
        char = pattern[here]
        if char.isspace():
            here += 1
            continue
        if char == "+" or char in UNSUPPORTED:
            kind = UnsupportedPattern if atoms or char != "+" else InvalidPattern
            raise kind(UNSUPPORTED.get(char, "'+'"), pattern, here)
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        atoms.append(Atom(chars, plus, pattern[here : after + plus], here))
        here = after + plus
    return atoms


@mistake("refuse_ambiguity", hint=2)
def any_two_atoms_refused(atoms, pattern):
    """A repeated atom is compared with all later atoms, not only with its neighbour."""
    for number, left in enumerate(atoms):
        for right in atoms[number + 1 :]:
            if left.plus and left.chars & right.chars:
                raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=3)
def atoms_must_be_a_list(atoms, pattern):
    """The atoms are used as a list, although any sequence of them may be given."""
    rest = atoms.copy()
    while len(rest) > 1:
        left, right = rest.pop(0), rest[0]
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, right.position)


@mistake("refuse_ambiguity", hint=3)
def error_at_the_first_atom(atoms, pattern):
    """The error is at the repeated atom, but the pattern becomes ambiguous at the next one."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, left.position)


@mistake("refuse_ambiguity", hint=1)
def one_inside_the_other(atoms, pattern):
    """Two neighbours are refused only if one takes everything that the other does."""
    for left, right in pairwise(atoms):
        if left.plus and (left.chars <= right.chars or right.chars <= left.chars):
            problem = f"{left.source!r} and then {right.source!r} take the same characters"
            raise UnsupportedPattern(problem, pattern, right.position)


@mistake("refuse_ambiguity", hint=1)
def only_contained_atoms_refused(atoms, pattern):
    """Two neighbours are refused only if the repeated one matches everything that the next one does."""
    for left, right in pairwise(atoms):
        if left.plus and right.chars <= left.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=1)
def only_equal_atoms_refused(atoms, pattern):
    """Two neighbours are refused only if they match exactly the same characters."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars == right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=2)
def only_two_repeated_atoms_refused(atoms, pattern):
    """Two neighbours are refused only if both are repeated, but one loop is enough."""
    for left, right in pairwise(atoms):
        if left.plus and right.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} are both repeated"
            raise UnsupportedPattern(problem, pattern, right.position)


@mistake("refuse_ambiguity", hint=2)
def overlap_without_a_plus_refused(atoms, pattern):
    """Neighbours that share a character are refused even if the left one is not repeated."""
    for left, right in pairwise(atoms):
        if left.chars & right.chars:
            raise UnsupportedPattern(f"{left.source!r} and then {right.source!r}", pattern, right.position)


@mistake("refuse_ambiguity", hint=2)
def refusal_names_no_atom(atoms, pattern):
    """The message says that the pattern is ambiguous, but not which two atoms make it so."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            raise UnsupportedPattern("this pattern is ambiguous", pattern, right.position)


@mistake("refuse_ambiguity", hint=3)
def the_first_place_of_the_source(atoms, pattern):
    """The second atom's source is searched for in the pattern, and the search finds an earlier atom."""
    for left, right in pairwise(atoms):
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, pattern.find(right.source))


@mistake("refuse_ambiguity", hint=3)
def uses_up_the_atoms(atoms, pattern):
    """The atoms are removed from the caller's list as they are compared."""
    while len(atoms) > 1:
        left, right = atoms[:2]
        if left.plus and left.chars & right.chars:
            problem = f"{left.source!r} and then {right.source!r} share a character"
            raise UnsupportedPattern(problem, pattern, right.position)
        if isinstance(atoms, list):
            atoms.pop(0)
        else:
            atoms = atoms[1:]


@mistake("compile_pattern", hint=3)
def a_repeated_atom_may_end_the_text(pattern):
    """Every state after a repeated atom accepts, as if the atoms after it could be left out."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows, ends = [{} for _ in range(len(atoms) + 1)], {len(atoms)}
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
            ends.add(state + 1)
    return Fsm(tuple(rows), initial=0, accepting=frozenset(ends))


@mistake("compile_pattern", hint=1)
def a_state_for_each_atom(pattern):
    """There are as many states as atoms, and no state means "all atoms have matched"."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    last = max(len(atoms) - 1, 0)
    rows = [{} for _ in range(last + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, min(state + 1, last))
    return Fsm(tuple(rows), initial=0, accepting=frozenset({last}))


@mistake("compile_pattern", hint=1)
def automata_kept_by_length(pattern, kept={}):
    """Automata are kept by the lengths of pattern and atoms, so another pattern of that shape gets the first one's."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    key = tuple((len(atom.source), atom.plus) for atom in atoms)
    if key not in kept:
        rows = [{} for _ in range(len(atoms) + 1)]
        for state, atom in enumerate(atoms):
            step = dict.fromkeys(sorted(atom.chars), state + 1)
            rows[state] |= step
            if atom.plus:
                rows[state + 1] |= step
        kept[key] = Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
    return kept[key]


@mistake("compile_pattern", hint=3)
def every_state_accepts(pattern):
    """Every state accepts, as if every viable prefix were a match."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset(range(len(rows))))


@mistake("compile_pattern", hint=2)
def loop_before_the_atom(pattern):
    """The loop is on the state before the repeated atom, so the atom is never passed."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, state if atom.plus else state + 1)
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=3)
def one_row_for_all_states(pattern):
    """The list of rows is made by multiplication, so every state shares one dictionary."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}] * (len(atoms) + 1)
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=2)
def plus_goes_back_a_state(pattern):
    """The loop leads back to the state before the atom, so one more character is required."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        rows[state] |= dict.fromkeys(atom.chars, state + 1)
        if atom.plus:
            rows[state + 1] |= dict.fromkeys(atom.chars, state)
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=1)
def plus_is_ignored(pattern):
    """The automaton has no loops: a repeated atom matches exactly one character."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [dict.fromkeys(atom.chars, state + 1) for state, atom in enumerate(atoms)]
    return Fsm((*rows, {}), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=2)
def plus_means_zero_or_more(pattern):
    """A repeated atom gets a loop and no state of its own, so it can be left out."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{}]
    for atom in atoms:
        if atom.plus:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows) - 1)
        else:
            rows[-1] |= dict.fromkeys(atom.chars, len(rows))
            rows.append({})
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(rows) - 1}))


@mistake("compile_pattern", hint=3)
def rows_in_a_list(pattern):
    """The rows stay in a list, but the automaton's transitions are a tuple."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(rows, initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=2)
def skips_the_ambiguity_check(pattern):
    """Ambiguity is not refused, so the next atom's transitions overwrite those of the loop."""
    atoms = parse_atoms(pattern)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(atom.chars, state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))


@mistake("compile_pattern", hint=3)
def the_empty_pattern_is_refused(pattern):
    """A pattern without atoms is refused, although it matches the empty text."""
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    if not atoms:
        raise InvalidPattern("an empty pattern", pattern, 0)
    rows = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
