r"""A character has one escape with all the digits of its number, so `\u1f600` is written for a pair."""

TODO = 4
HINT = 2


def spell_character(char):
    if char == "/":
        return r"\\?/"
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    digits = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{ord(char):04x}"]
    return rf"(?:{plain}|\\u{''.join(digits)})"
