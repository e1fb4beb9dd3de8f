"""Where the tokenizer cannot help, the run is written and the last token forgotten."""

TODO = 5
HINT = 3


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if tokens.bytes_of(ids) == text else longest_tokens(run, tokens)
