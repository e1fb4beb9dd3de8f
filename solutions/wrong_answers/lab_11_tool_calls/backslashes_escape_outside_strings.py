"""A backslash escapes the next character outside strings too, so the brace after a name that ends with it is lost."""

TODO = 12
HINT = 2


def argument_spans(text, depth):
    spans = []
    open_braces, in_string, escaped = 0, False, False
    for place, char in enumerate(text):
        if escaped or char == "\\":
            escaped = not escaped
        elif in_string:
            in_string = char != '"'
        elif char == '"' and open_braces:
            in_string = True
        elif char == "{":
            open_braces += 1
            if open_braces == depth:
                spans.append((place, len(text)))
        elif char == "}":
            if open_braces == depth:
                spans[-1] = (spans[-1][0], place + 1)
            open_braces -= 1
    return spans
