"""The character is escaped for JSON and not for the regular expression, where it keeps its special meaning."""

TODO = 4
HINT = 1


def spell_character(char):
    if char == "/":
        return r"\\?/"
    plain = json.dumps(char, ensure_ascii=False)[1:-1].replace("\\", r"\\")
    if char.isascii() and char.isprintable():
        return plain
    digits = char.encode("utf-16-be").hex()
    either_case = [f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in digits]
    escape = "".join(r"\\u" + "".join(either_case[start : start + 4]) for start in range(0, len(digits), 4))
    return f"(?:{plain}|{escape})"
