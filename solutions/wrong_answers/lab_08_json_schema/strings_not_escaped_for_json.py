"""Quotes are put around a string, and nothing in it is escaped for JSON."""

TODO = 5
HINT = 3


def literal_regex(value):
    if isinstance(value, str):
        return '"' + re.escape(value) + '"'
    return re.escape(json.dumps(value))
