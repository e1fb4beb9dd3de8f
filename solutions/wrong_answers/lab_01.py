"""Wrong answers of lab 01: each takes the place of a student's function (see `mistake`), with one mistake."""

from course.student.core.wrong_answers import mistake


@mistake("could_match", hint=2)
def dollar_for_fullmatch(pattern, text):
    """You put a `$` after the pattern, but it belongs to the last alternative alone, and it lets a final newline
    through.
    """
    return regex.match(pattern + "$", text, partial=True) is not None


@mistake("could_match", hint=1)
def full_matches_only(pattern, text):
    """You only accept full matches, so you reject a text that could still become one."""
    return regex.fullmatch(pattern, text) is not None


@mistake("could_match", hint=2)
def match_for_fullmatch(pattern, text):
    """You use `match`. It's content once the pattern covers the start of the text, whatever comes after it."""
    return regex.match(pattern, text, partial=True) is not None


@mistake("could_match", hint=3)
def match_that_must_reach_the_end(pattern, text):
    """You check where `match` ended, but that's too late: it has settled for the first alternative that fits."""
    match = regex.match(pattern, text, partial=True)
    return match is not None and match.end() == len(text)


@mistake("could_match", hint=2)
def search_for_fullmatch(pattern, text):
    """You use `search`, which lets a match begin anywhere, even at the end of the text."""
    return regex.search(pattern, text, partial=True) is not None


@mistake("build_mask", hint=2)
def allows_the_empty_token(texts, prefix, viable):
    """You leave out None but not the empty token. It changes nothing, so the model could write it forever."""
    return np.array([viable(prefix + text) if text is not None else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=1)
def asks_about_the_token_alone(texts, prefix, viable):
    """You ask about each token alone, as if nothing had been written before it."""
    return np.array([viable(text) if text else False for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def finds_the_token_by_its_text(texts, prefix, viable):
    """You look the id up by the token's text, so when two tokens have the same text, you never allow the second."""
    allowed = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and viable(prefix + text):
            allowed[texts.index(text)] = True
    return allowed


@mistake("build_mask", hint=3)
def mask_of_mixed_types(texts, prefix, viable):
    """For a token without text, your `text and viable(…)` is None or '' instead of False, so your array isn't one of
    bools.
    """
    return np.array([text and viable(prefix + text) for text in texts])


@mistake("build_mask", hint=2)
def true_means_forbidden(texts, prefix, viable):
    """You mark the tokens that are forbidden, as some libraries do. In this course, True means allowed."""
    return np.array([not viable(prefix + text) if text else True for text in texts], dtype=np.bool_)


@mistake("build_mask", hint=2)
def white_space_is_no_text(texts, prefix, viable):
    """You treat a token of white space as one without text, but a space is a character like any other."""
    return np.array([bool(text and text.strip()) and viable(prefix + text) for text in texts], dtype=np.bool_)


@mistake("apply_mask", hint=1)
def a_very_small_logit(logits, allowed):
    """You use -1e9 where minus infinity belongs. It leaves the token a small chance, and float16 can't even hold it."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    masked = logits.copy()
    masked[~allowed] = -1e9
    return masked


@mistake("apply_mask", hint=2)
def masks_in_place(logits, allowed):
    """You write minus infinity into the caller's own array, and the model may still need it."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    logits[~allowed] = -np.inf
    return logits


@mistake("apply_mask", hint=1)
def multiplies_by_the_mask(logits, allowed):
    """You multiply the logits by the mask, so a forbidden token gets the logit 0, which may be the highest of all."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    with np.errstate(invalid="ignore"):
        return logits * allowed


@mistake("apply_mask", hint=2)
def widens_to_float64(logits, allowed):
    """You return float64 whatever you're given, but the logits should keep their dtype."""
    if logits.shape != allowed.shape:
        raise ValueError(f"logits of shape {logits.shape} and a mask of shape {allowed.shape}")
    return np.where(allowed, logits.astype(np.float64), -np.inf)


@mistake("softmax", hint=1)
def exponentials_overflow(logits):
    """You take the exponentials as they are, so large logits overflow, and very small ones all become zero."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = np.exp(logits.astype(np.float64))
        return weights / weights.sum()


@mistake("softmax", hint=3)
def shifts_the_callers_logits(logits):
    """You subtract the largest logit in place, and that changes the caller's array."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    logits -= logits.max()
    weights = np.exp(logits.astype(np.float64))
    return weights / weights.sum()


@mistake("softmax", hint=3)
def small_probabilities_are_rounded(logits):
    """You round the probabilities to twelve digits, so a token that's merely unlikely can become impossible."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits.max())
    return np.round(weights / weights.sum(), 12)


@mistake("softmax", hint=3)
def stays_in_float32(logits):
    """You compute in the dtype that the logits come in. That's too coarse, so convert them to float64 first."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


@mistake("softmax", hint=2)
def subtracts_the_first_logit(logits):
    """You subtract the first logit instead of the largest, and the first may be minus infinity."""
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the mask left nothing to choose from")
    weights = np.exp(logits.astype(np.float64) - logits[0])
    return weights / weights.sum()


@mistake("sample", hint=2)
def border_belongs_to_the_left(probs, u):
    """When u is on a border, you choose the piece that ends there, but u belongs to the one that begins there."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return int(np.searchsorted(cumulative / cumulative[-1], u, side="left"))


@mistake("sample", hint=3)
def returns_a_numpy_integer(probs, u):
    """You return one of NumPy's integers, which isn't an int, although it looks like one."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    cumulative = np.cumsum(probs)
    return np.searchsorted(cumulative / cumulative[-1], u, side="right")


@mistake("sample", hint=1)
def takes_the_most_probable(probs, u):
    """You always take the most probable token, so u has no say in the matter."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.argmax(probs))


@mistake("sample", hint=2)
def trusts_the_sum(probs, u):
    """You trust the probabilities to add up to 1. They don't quite, so a u just below 1 takes you past the last id."""
    if not 0 <= u < 1:
        raise ValueError(f"u must lie in [0, 1), not {u}")
    return int(np.searchsorted(np.cumsum(probs), u, side="right"))


@mistake("generate", hint=2)
def asks_the_model_too_early(model, texts, viable, us):
    """You ask the model before you look at the mask, so you ask it once more than you write tokens."""
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
    """You don't check whether any token is allowed. If none is, softmax gets nothing but minus infinities."""
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids


@mistake("generate", hint=2)
def forced_tokens_without_the_model(model, texts, viable, us):
    """When only one token is allowed, you write it without asking the model, but here you ask it for every token."""
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
    """Your newest token replaces the text instead of extending it, so your mask only knows about the last step."""
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
    """You mask the probabilities, not the logits. By then, softmax may have rounded every allowed token to zero."""
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
    """You give the model only the newest id, so it can't know what came before."""
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
    """You let the model choose freely, and drop a choice that's forbidden. That step is lost."""
    ids, text = [], ""
    for u in us:
        choice = sample(softmax(model(ids)), u)
        if build_mask(texts, text, viable)[choice]:
            ids.append(choice)
            text += texts[choice]
    return ids
