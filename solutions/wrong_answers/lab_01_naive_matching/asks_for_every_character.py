"""Every prefix of the token is asked about: the mask is right, but costs a question for each character."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    return np.array(
        [bool(text) and all(viable(prefix + text[: n + 1]) for n in range(len(text))) for text in texts],
        dtype=np.bool_,
    )
