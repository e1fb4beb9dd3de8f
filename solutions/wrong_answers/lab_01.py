"""Wrong answers of lab 01: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("find_answer", hint=2)
def answers_kept_by_pattern(pattern, answer, kept={}):
    """Answers are kept by their pattern, so another answer gets the match of the first."""
    if pattern not in kept:
        match = re.search(pattern, answer)
        kept[pattern] = match.group() if match else None
    return kept[pattern]


@mistake("find_answer", hint=2)
def empty_match_is_nothing(pattern, answer):
    """The matched text is tested for truth, so an empty match counts as no match."""
    match = re.search(pattern, answer)
    return (match and match.group()) or None


@mistake("find_answer", hint=2)
def empty_text_for_nothing(pattern, answer):
    """The empty string means "nothing found", so it cannot be distinguished from an empty match."""
    match = re.search(pattern, answer)
    return match.group() if match else ""


@mistake("find_answer", hint=3)
def first_group_for_the_match(pattern, answer):
    """`re.findall` returns the groups of the pattern, if it has any, not the text of the whole match."""
    found = re.findall(pattern, answer)
    return found[0] if found else None


@mistake("find_answer", hint=3)
def group_of_nothing(pattern, answer):
    """`re.search` returns None if there is no match, and None has no `group`."""
    return re.search(pattern, answer).group()


@mistake("find_answer", hint=3)
def last_match_wins(pattern, answer):
    """The last match is returned, as if it were the final answer, instead of the first."""
    matches = [match.group() for match in re.finditer(pattern, answer)]
    return matches[-1] if matches else None


@mistake("find_answer", hint=1)
def search_at_the_start_only(pattern, answer):
    """`re.match` looks only at the start of the answer, so a number in its middle is not found."""
    match = re.match(pattern, answer)
    return match.group() if match else None


@mistake("find_answer", hint=1)
def searches_line_by_line(pattern, answer):
    """Each line is searched alone, so a match over two lines is never found."""
    for line in answer.splitlines():
        match = re.search(pattern, line)
        if match:
            return match.group()
    return None


@mistake("find_answer", hint=3)
def the_match_is_stripped(pattern, answer):
    """White space around the match is removed, although the pattern asked for it."""
    match = re.search(pattern, answer)
    return match.group().strip() if match else None


@mistake("could_match", hint=2)
def dollar_for_fullmatch(pattern, text):
    """A `$` after the pattern replaces a full match, but it binds to the last alternative and allows a final
    newline.
    """
    return regex.match(pattern + "$", text, partial=True) is not None


@mistake("could_match", hint=1)
def full_matches_only(pattern, text):
    """Only full matches count, so a text that could still become a match is rejected."""
    return regex.fullmatch(pattern, text) is not None


@mistake("could_match", hint=2)
def match_for_fullmatch(pattern, text):
    """`match` succeeds if the pattern covers a prefix of the text, whatever comes after it."""
    return regex.match(pattern, text, partial=True) is not None


@mistake("could_match", hint=2)
def match_object_for_a_bool(pattern, text):
    """The match object is returned: it works in an `if`, but it is not a bool."""
    return regex.fullmatch(pattern, text, partial=True)


@mistake("could_match", hint=2)
def no_text_is_not_viable(pattern, text):
    """The empty text counts as not viable, although every match starts with it."""
    return bool(text) and regex.fullmatch(pattern, text, partial=True) is not None


@mistake("could_match", hint=2)
def search_anywhere(pattern, text):
    """`search` finds the start of a match anywhere in the text, and the end of any text can be one."""
    return regex.search(pattern, text, partial=True) is not None


@mistake("could_match", hint=3)
def swapped_arguments(pattern, text):
    """The text is passed as the pattern and the pattern as the text, but `regex` takes the pattern first."""
    return regex.fullmatch(text, pattern, partial=True) is not None


@mistake("could_match", hint=3)
def the_text_is_stripped(pattern, text):
    """White space around the text is removed first, so a space never makes a text wrong."""
    return regex.fullmatch(pattern, text.strip(), partial=True) is not None


@mistake("could_match", hint=3)
def unfinished_texts_only(pattern, text):
    """The code asks whether the match is partial, so a text that is already a full match is rejected."""
    match = regex.fullmatch(pattern, text, partial=True)
    return match is not None and match.partial


@mistake("could_match", hint=2)
def verdicts_kept_by_text(pattern, text, kept={}):
    """Verdicts are kept by their text, so another pattern gets those of the first."""
    if text not in kept:
        kept[text] = regex.fullmatch(pattern, text, partial=True) is not None
    return kept[text]


@mistake("build_mask", hint=3)
def adds_none_to_the_prefix(texts, prefix, viable):
    """A token whose text is None is appended to the prefix like any other, which raises a TypeError."""
    return np.array([viable(prefix + text) for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def allows_the_empty_token(texts, prefix, viable):
    """Only None counts as a token without text, so the empty token is allowed and the model can emit it for ever."""
    return np.array([viable(prefix + text) if text is not None else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=1)
def asks_about_the_token_alone(texts, prefix, viable):
    """Each token is judged alone, as if nothing had been written before it."""
    return np.array([viable(text) if text else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=3)
def asks_for_every_character(texts, prefix, viable):
    """Every prefix of the token is asked about: the mask is right, but costs a question for each character."""
    return np.array(
        [bool(text) and all(viable(prefix + text[: n + 1]) for n in range(len(text))) for text in texts],
        dtype=np.bool_,
    )


@mistake("build_mask", hint=2)
def equal_texts_are_asked_once(texts, prefix, viable):
    """A text that two ids have is asked about only once, although every token costs one question here."""
    asked = {}
    for text in texts:
        if text and text not in asked:
            asked[text] = viable(prefix + text)
    return np.array([asked.get(text, False) for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def finds_the_token_by_its_text(texts, prefix, viable):
    """The bit is set at the first id with this text, so a second token with the same text stays forbidden."""
    allowed = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and viable(prefix + text):
            allowed[texts.index(text)] = True
    return allowed


@mistake("build_mask", hint=1)
def looks_at_the_first_character(texts, prefix, viable):
    """Only the token's first character is tried, so a token that dies later is allowed."""
    return np.array([viable(prefix + text[0]) if text else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=3)
def mask_of_mixed_types(texts, prefix, viable):
    """`text and viable(…)` is None or '' for a token without text, and the array gets a dtype to match."""
    return np.array([text and viable(prefix + text) for text in texts])


@mistake("build_mask", hint=2)
def masks_kept_by_prefix(texts, prefix, viable, kept={}):
    """Masks are kept by prefix and size, so another predicate or vocabulary gets the first one's."""
    if (prefix, len(texts)) not in kept:
        answers = [bool(text) and viable(prefix + text) for text in texts]
        kept[prefix, len(texts)] = np.array(answers, dtype=np.bool_)
    return kept[prefix, len(texts)].copy()


@mistake("build_mask", hint=2)
def no_dtype_for_the_empty_mask(texts, prefix, viable):
    """The dtype is left to NumPy, which makes float64 of an empty list."""
    return np.array([viable(prefix + text) if text else False for text in texts])


@mistake("build_mask", hint=3)
def texts_must_be_a_list(texts, prefix, viable):
    """The texts are used as a list, although any sequence of them may be given."""
    mask, waiting = np.zeros(len(texts), dtype=np.bool_), texts.copy()
    while waiting:
        text = waiting.pop()
        mask[len(waiting)] = bool(text) and viable(prefix + text)
    return mask


@mistake("build_mask", hint=2)
def true_means_forbidden(texts, prefix, viable):
    """The mask marks the forbidden tokens, as some libraries do, but the lab's mask marks the allowed ones."""
    return np.array([not viable(prefix + text) if text else True for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def white_space_is_no_text(texts, prefix, viable):
    """A token of white space alone counts as a token without text."""
    return np.array([bool(text and text.strip()) and viable(prefix + text) for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=3)
def writes_into_the_callers_texts(texts, prefix, viable):
    """Tokens without text are replaced in the caller's list, so None becomes the empty text there."""
    for token_id, text in enumerate(texts):
        if text is None and isinstance(texts, list):
            texts[token_id] = ""
    return np.array([bool(text) and viable(prefix + text) for text in texts], dtype=np.bool_)


@mistake("apply_mask", hint=1)
def a_very_small_logit(logits, allowed):
    """A logit of -1e9 replaces minus infinity: the probability is only small, and float16 cannot hold the logit."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    masked = logits.copy()
    masked[~allowed] = -1e9
    return masked


@mistake("apply_mask", hint=2)
def adds_a_float64_mask(logits, allowed):
    """A float64 array of zeros and minus infinities is added, so the result is float64 and minus zero becomes zero."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return logits + np.where(allowed, 0.0, -np.inf)


@mistake("apply_mask", hint=2)
def adds_zero_times_infinity(logits, allowed):
    """The mask is multiplied by minus infinity and added, and zero times infinity is NaN."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return (logits + ~allowed * -np.inf).astype(logits.dtype)


@mistake("apply_mask", hint=2)
def adds_zero_to_the_allowed(logits, allowed):
    """Zero or minus infinity is added to each logit, so minus zero becomes zero and infinity minus infinity NaN."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    penalty = np.zeros_like(logits)
    penalty[~allowed] = -np.inf
    with np.errstate(invalid="ignore"):
        return logits + penalty


@mistake("apply_mask", hint=2)
def masks_in_place(logits, allowed):
    """Minus infinity is written into the caller's own array, which the model may still need."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    logits[~allowed] = -np.inf
    return logits


@mistake("apply_mask", hint=1)
def multiplies_by_the_mask(logits, allowed):
    """The logits are multiplied by the mask, so a forbidden token gets the logit 0, which is a high one."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return logits * allowed


@mistake("apply_mask", hint=3)
def no_copy_where_all_is_allowed(logits, allowed):
    """If all tokens are allowed, the caller's array is returned instead of a new one."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    if allowed.all():
        return logits
    masked = logits.copy()
    masked[~allowed] = -np.inf
    return masked


@mistake("apply_mask", hint=3)
def refuses_a_mask_without_a_token(logits, allowed):
    """A mask that allows nothing is refused, although the result is well defined and `softmax` refuses it."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    if not allowed.any():
        raise ValueError("no token is allowed")
    masked = logits.copy()
    masked[~allowed] = -np.inf
    return masked


@mistake("apply_mask", hint=1)
def the_smallest_finite_logit(logits, allowed):
    """The smallest finite number of the dtype replaces minus infinity, so a forbidden token is not impossible."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits, np.finfo(logits.dtype).min)


@mistake("apply_mask", hint=2)
def widens_to_float64(logits, allowed):
    """The result is float64, whatever the dtype of the logits."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits.astype(np.float64), -np.inf)


@mistake("softmax", hint=2)
def adds_a_guard_to_the_sum(logits):
    """A small number is added to the sum to avoid a division by zero, so the probabilities no longer add up to 1."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return weights / (weights.sum() + 1e-9)


@mistake("softmax", hint=1)
def clips_against_overflow(logits):
    """The logits are clipped to a range that does not overflow, which turns minus infinity into a finite number."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(np.clip(logits.astype(np.float64), -80, 80))
    return weights / weights.sum()


@mistake("softmax", hint=1)
def exponentials_in_float32(logits):
    """The exponentials are taken in float32 without subtracting the maximum, so they overflow beyond 88 and
    give NaN.
    """
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits)
        return weights / weights.sum()


@mistake("softmax", hint=1)
def exponentials_overflow(logits):
    """Nothing is subtracted before the exponential, so large logits overflow and very small ones all become zero."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits.astype(np.float64))
        return weights / weights.sum()


@mistake("softmax", hint=3)
def shifts_the_callers_logits(logits):
    """The largest logit is subtracted in place, which changes the caller's array."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    logits -= logits.max()
    weights = np.exp(logits.astype(np.float64))
    return weights / weights.sum()


@mistake("softmax", hint=3)
def small_probabilities_are_rounded(logits):
    """The probabilities are rounded to twelve digits, so an allowed token may become impossible."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return np.round(weights / weights.sum(), 12)


@mistake("softmax", hint=3)
def stays_in_float32(logits):
    """The computation stays in the dtype of the logits."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


@mistake("softmax", hint=2)
def subtracts_the_first_logit(logits):
    """The first logit is subtracted instead of the largest, and it may be minus infinity."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits[0])
    return weights / weights.sum()


@mistake("softmax", hint=3)
def widens_too_late(logits):
    """The result is float64, but the exponentials were taken in float32 and keep their error."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits - logits.max())
    return (weights / weights.sum()).astype(np.float64)


@mistake("sample", hint=2)
def border_belongs_to_the_left(probs, u):
    """The insertion point is to the left of equal entries, so a u on a border chooses the piece that ends there."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return int(np.searchsorted(cumulative / cumulative[-1], u, side="left"))


@mistake("sample", hint=2)
def clamps_to_the_last_id(probs, u):
    """An id beyond the end is clamped to the last one, even if that has probability zero."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return min(int(np.searchsorted(np.cumsum(probs), u, side="right")), len(probs) - 1)


@mistake("sample", hint=1)
def compares_single_probabilities(probs, u):
    """u is compared with each single probability, not with the cumulative sum."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(probs > u))


@mistake("sample", hint=3)
def cumulates_in_place(probs, u):
    """The cumulative sums are written into the caller's probabilities."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    np.cumsum(probs, out=probs)
    return int(np.searchsorted(probs / probs[-1], u, side="right"))


@mistake("sample", hint=2)
def first_of_no_true(probs, u):
    """`argmax` of a row without a True is 0, and cumulative sums that were not divided may all be below u."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(np.cumsum(probs) > u))


@mistake("sample", hint=1)
def ids_kept_by_u(probs, u, kept={}):
    """Ids are kept by their u, so other probabilities get the id of the first."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    if (len(probs), u) not in kept:
        cumulative = np.cumsum(probs)
        kept[len(probs), u] = int(np.searchsorted(cumulative / cumulative[-1], u, side="right"))
    return kept[len(probs), u]


@mistake("sample", hint=3)
def returns_a_numpy_integer(probs, u):
    """NumPy's integer is returned, which is not a plain int."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return np.searchsorted(cumulative / cumulative[-1], u, side="right")


@mistake("sample", hint=1)
def sorts_the_probabilities(probs, u):
    """The pieces are ordered by size instead of by id: the odds are right, but no run can be replayed."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    order = np.argsort(-probs, kind="stable")
    cumulative = np.cumsum(probs[order])
    return int(order[np.searchsorted(cumulative / cumulative[-1], u, side="right")])


@mistake("sample", hint=1)
def takes_the_most_probable(probs, u):
    """The most probable token is chosen, whatever u is."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(probs))


@mistake("sample", hint=3)
def the_sum_must_be_exactly_one(probs, u):
    """Probabilities that add up to a little less than 1 are refused, although rounding does that."""
    if not 0 <= u < 1 or np.cumsum(probs)[-1] != 1:
        raise ValueError(f"u must lie in [0, 1), not {u}, and the probabilities must add up to 1")
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))


@mistake("sample", hint=2)
def trusts_the_sum(probs, u):
    """The sums are not divided by the last one, so a u just below 1 gives an id beyond the end."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))


@mistake("generate", hint=2)
def asks_the_model_too_early(model, texts, viable, us):
    """The model is called before the mask is checked, so it is called once more than tokens are emitted."""
    ids, text = [], ""
    for u in us:
        logits = model(ids)
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(logits, allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=2)
def empty_mask_not_checked(model, texts, viable, us):
    """Nothing checks whether any token is allowed, so softmax gets only minus infinities."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=2)
def forced_tokens_without_the_model(model, texts, viable, us):
    """A token that alone is allowed is emitted without a call of the model."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        if allowed.sum() == 1:
            ids.append(int(allowed.argmax()))
        else:
            ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=1)
def forgets_the_text(model, texts, viable, us):
    """The newest token replaces the text instead of extending it, so the mask knows only one step."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text = texts[ids[-1]]
    return ids


@mistake("generate", hint=2)
def masks_of_an_earlier_run(model, texts, viable, us, kept={}):
    """Masks are kept by the text so far, so another predicate gets those of the first."""
    ids, text = [], ""
    for u in us:
        if (text, len(texts)) not in kept:
            kept[text, len(texts)] = build_mask(texts, text, viable)
        allowed = kept[text, len(texts)]
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=3)
def masks_the_models_own_logits(model, texts, viable, us):
    """Minus infinity is written into the model's own array, which may be the same one at each step."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        logits = model(ids)
        logits[~allowed] = -np.inf
        ids.append(sample(softmax(logits), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=3)
def masks_the_probabilities(model, texts, viable, us):
    """The mask multiplies the probabilities, which fails where the allowed tokens have been rounded to zero."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        with np.errstate(invalid="ignore"):
            ids.append(sample(softmax(model(ids)) * allowed, u))
        text += texts[ids[-1]] or ""
    return ids


@mistake("generate", hint=2)
def model_sees_the_last_token(model, texts, viable, us):
    """The model gets only the newest id and cannot know what came before."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids[-1:]), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=3)
def numbers_tested_for_truth(model, texts, viable, us):
    """The numbers u are tested for truth, which an array of them does not have."""
    ids, text = [], ""
    while us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us[0]))
        us, text = us[1:], text + texts[ids[-1]]
    return ids


@mistake("generate", hint=1)
def prefix_never_grows(model, texts, viable, us):
    """The chosen token's text is not appended to the text, so every mask is that of the first step."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
    return ids


@mistake("generate", hint=3)
def rejects_and_gives_up(model, texts, viable, us):
    """The model chooses freely; a forbidden choice is dropped afterwards, and its step is lost."""
    ids, text = [], ""
    for u in us:
        choice = sample(softmax(model(ids)), u)
        if build_mask(texts, text, viable)[choice]:
            ids.append(choice)
            text += texts[choice]
    return ids


@mistake("generate", hint=3)
def returns_the_text(model, texts, viable, us):
    """The text is returned instead of the ids that spell it."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return text


@mistake("generate", hint=3)
def softmax_twice(model, texts, viable, us):
    """The mask is applied to probabilities, and their softmax is taken again, which flattens the model's
    preferences.
    """
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(softmax(model(ids)), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=2)
def text_given_to_the_model(model, texts, viable, us):
    """The model gets the text so far, but it knows only ids."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(text), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=3)
def the_text_is_stripped_at_each_step(model, texts, viable, us):
    """White space at the end of the text is removed before the next mask, so a space counts for nothing."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text = (text + texts[ids[-1]]).rstrip()
    return ids


@mistake("generate", hint=3)
def uses_up_the_numbers(model, texts, viable, us):
    """Each step removes its number u from the caller's list."""
    ids, text = [], ""
    while len(us):
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us.pop(0)))
        text += texts[ids[-1]]
    return ids
