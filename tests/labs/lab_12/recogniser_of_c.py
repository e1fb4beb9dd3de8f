"""A recogniser of the small C in ``c.gbnf``: recursive descent by hand, with one function for each kind of phrase."""

import re

NAME, NUMBER = re.compile(r"v[a-z0-9_]*"), re.compile(r"0|[1-9][0-9]{0,8}")
CHARACTER = re.compile(r"'([ !\"#$%&()*+,\-./0-9:;<=>?@A-Z\[\]^_`a-z{|}~]|\\[nrt0'\\])'")
TYPE = re.compile(r"(int|long|char) \*?")
LEVELS = ((" || ",), (" && ",), (" == ", " != "), (" < ", " > ", " <= ", " >= "), (" + ", " - "), (" * ", " / ", " % "))


class Wrong(Exception):
    """The text is no program."""


class Reader:
    """Reads one program; raises ``Wrong``."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def sees(self, *words):
        return next((w for w in sorted(words, key=len, reverse=True) if self.text.startswith(w, self.at)), None)

    def takes(self, *words):
        word = self.sees(*words)
        self.at += len(word or "")
        return word is not None

    def needs(self, word):
        if not self.takes(word):
            raise Wrong

    def matches(self, pattern):
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match is not None

    def needs_match(self, pattern):
        if not self.matches(pattern):
            raise Wrong

    def program(self):
        self.function()
        while self.at < len(self.text):
            self.function()

    def function(self):
        self.needs_match(TYPE)
        self.needs_match(NAME)
        self.needs("(")
        if not self.takes(") "):
            self.parameter()
            while self.takes(", "):
                self.parameter()
            self.needs(") ")
        self.block()

    def parameter(self):
        self.needs_match(TYPE)
        self.needs_match(NAME)

    def block(self):
        self.needs("{\n")
        while not self.takes("}\n"):
            self.statement()

    def statement(self):
        if self.sees("{\n"):
            self.block()
        elif self.takes("if ("):
            self.expression()
            self.needs(") ")
            self.block()
            if self.takes("else "):
                self.block()
        elif self.takes("while ("):
            self.expression()
            self.needs(") ")
            self.block()
        elif self.takes("for ("):
            for end in ("; ", "; ", ") "):
                if not self.sees(end):
                    self.expression()
                self.needs(end)
            self.block()
        elif self.takes("return"):
            if self.takes(" "):
                self.expression()
            self.needs(";\n")
        elif not self.takes("break;\n", "continue;\n"):
            if self.matches(TYPE):
                self.needs_match(NAME)
                if self.takes(" = "):
                    self.expression()
            else:
                self.expression()
            self.needs(";\n")

    def expression(self):
        began = self.at
        try:
            self.target()
            if self.takes(" = ", " += ", " -= "):
                self.expression()
                return
        except Wrong:
            pass
        self.at = began
        self.choice()

    def target(self):
        while self.takes("*"):
            pass
        self.needs_match(NAME)
        while self.takes("["):
            self.expression()
            self.needs("]")

    def choice(self):
        self.level(0)
        if self.takes(" ? "):
            self.expression()
            self.needs(" : ")
            self.choice()

    def level(self, depth):
        if depth == len(LEVELS):
            self.unary()
            return
        self.level(depth + 1)
        while self.takes(*LEVELS[depth]):
            self.level(depth + 1)

    def unary(self):
        if self.takes("!", "~", "*"):
            self.unary()
        elif self.takes("-"):
            self.primary()
        elif self.takes("&"):
            self.target()
        else:
            self.primary()

    def primary(self):
        if self.matches(NUMBER) or self.matches(CHARACTER):
            return
        if self.takes("("):
            self.expression()
            self.needs(")")
            return
        self.needs_match(NAME)
        while self.sees("(", "["):
            if self.takes("["):
                self.expression()
                self.needs("]")
            elif self.takes("(") and not self.takes(")"):
                self.expression()
                while self.takes(", "):
                    self.expression()
                self.needs(")")


def is_program(text):
    """Return whether a text is a program of the small C."""
    reader = Reader(text)
    try:
        reader.program()
    except Wrong:
        return False
    return reader.at == len(text)
