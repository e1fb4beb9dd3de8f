"""Values are written by str, which writes True and None."""

TODO = 5
HINT = 2


def literal_regex(value):
    if isinstance(value, str):
        return '"' + "".join(map(spell_character, value)) + '"'
    return re.escape(str(value))
