"""Wrong answers of lab 01: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("find_answer", hint=2)
def empty_match_is_nothing(pattern, answer):
    """The matched text is tested for truth, so an empty match counts as no match."""
    match = re.search(pattern, answer)
    return (match and match.group()) or None


@mistake("find_answer", hint=3)
def first_group_for_the_match(pattern, answer):
    """`re.findall` returns the groups of the pattern, if it has any, not the text of the whole match."""
    found = re.findall(pattern, answer)
    return found[0] if found else None


@mistake("find_answer", hint=3)
def group_of_nothing(pattern, answer):
    """`re.search` returns None if there is no match, and None has no `group`."""
    return re.search(pattern, answer).group()


@mistake("find_answer", hint=1)
def search_at_the_start_only(pattern, answer):
    """`re.match` looks only at the start of the answer, so a number in its middle is not found."""
    match = re.match(pattern, answer)
    return match.group() if match else None


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


@mistake("could_match", hint=3)
def match_that_must_reach_the_end(pattern, text):
    """`match` settles on the first alternative that fits, and only then is its end compared with the text's."""
    match = regex.match(pattern, text, partial=True)
    return match is not None and match.end() == len(text)


@mistake("build_mask", hint=2)
def allows_the_empty_token(texts, prefix, viable):
    """Only None counts as a token without text, so the empty token is allowed and the model can emit it forever."""
    return np.array([viable(prefix + text) if text is not None else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=1)
def asks_about_the_token_alone(texts, prefix, viable):
    """Each token is judged alone, as if nothing had been written before it."""
    return np.array([viable(text) if text else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def finds_the_token_by_its_text(texts, prefix, viable):
    """The bit is set at the first id with this text, so a second token with the same text stays forbidden."""
    allowed = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and viable(prefix + text):
            allowed[texts.index(text)] = True
    return allowed


@mistake("build_mask", hint=3)
def mask_of_mixed_types(texts, prefix, viable):
    """`text and viable(…)` is None or '' for a token without text, and the array gets a dtype to match."""
    return np.array([text and viable(prefix + text) for text in texts])


@mistake("build_mask", hint=2)
def true_means_forbidden(texts, prefix, viable):
    """The mask marks the forbidden tokens, as some libraries do, but the lab's mask marks the allowed ones."""
    return np.array([not viable(prefix + text) if text else True for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def white_space_is_no_text(texts, prefix, viable):
    """A token of white space alone counts as a token without text."""
    return np.array([bool(text and text.strip()) and viable(prefix + text) for text in texts], dtype=np.bool_)


@mistake("apply_mask", hint=1)
def a_very_small_logit(logits, allowed):
    """A logit of -1e9 replaces minus infinity: the probability is only small, and float16 cannot hold the logit."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    masked = logits.copy()
    masked[~allowed] = -1e9
    return masked


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


@mistake("apply_mask", hint=2)
def widens_to_float64(logits, allowed):
    """The result is float64, whatever the dtype of the logits."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits.astype(np.float64), -np.inf)


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


@mistake("sample", hint=2)
def border_belongs_to_the_left(probs, u):
    """The insertion point is to the left of equal entries, so a u on a border chooses the piece that ends there."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return int(np.searchsorted(cumulative / cumulative[-1], u, side="left"))


@mistake("sample", hint=3)
def returns_a_numpy_integer(probs, u):
    """NumPy's integer is returned, which is not a plain int."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return np.searchsorted(cumulative / cumulative[-1], u, side="right")


@mistake("sample", hint=1)
def takes_the_most_probable(probs, u):
    """The most probable token is chosen, whatever u is."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(probs))


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
def rejects_and_gives_up(model, texts, viable, us):
    """The model chooses freely; a forbidden choice is dropped afterwards, and its step is lost."""
    ids, text = [], ""
    for u in us:
        choice = sample(softmax(model(ids)), u)
        if build_mask(texts, text, viable)[choice]:
            ids.append(choice)
            text += texts[choice]
    return ids
