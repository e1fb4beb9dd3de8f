"""Where the tokenizer cannot help, the last token is written in the longest tokens too."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else longest_tokens(text, tokens)
