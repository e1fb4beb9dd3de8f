"""The character is escaped for the regular expression, but JSON's own backslash before a quote is missing."""

TODO = 4
HINT = 2


def spell_character(char):
    if char == "/":
        return r"\\?/"
    if char.isascii() and char.isprintable():
        return re.escape(char)
    plain = re.escape(json.dumps(char, ensure_ascii=False)[1:-1])
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"
