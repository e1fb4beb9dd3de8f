"""A closing brace that closes nothing is counted, so the objects after it are looked for one level too deep."""

TODO = 12
HINT = 3


def argument_spans(text, depth):
    spans, open_braces, in_string, escaped = [], 0, False, False
    for place, char in enumerate(text):
        if in_string:
            in_string = char != '"' or escaped
            escaped = char == "\\" and not escaped
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
