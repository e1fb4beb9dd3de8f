"""The digits of an escape are only those that Python writes, in lower case."""

TODO = 4
HINT = 3


def spell_character(char):
    if char == "/":
        return r"\\?/"
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    if char.isascii() and char.isprintable():
        return plain
    digits = char.encode("utf-16-be").hex()
    escape = "".join(r"\\u" + digits[start : start + 4] for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"
