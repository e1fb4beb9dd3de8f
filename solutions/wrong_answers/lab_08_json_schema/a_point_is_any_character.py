"""A number is not escaped for the regular expression, so its point matches any character."""

TODO = 5
HINT = 2


def literal_regex(value):
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    return json.dumps(value)
