"""The reader of GBNF, the grammar syntax that llama.cpp and xgrammar share; its trees are those of lab 06.

``name ::= "text" [a-z] other (group | "alternative")* . # comment``, with ``? * + {m} {m,} {m,n}`` after any part. A
rule ends where the next ``name ::=`` begins. A name is letters, digits, ``-`` and ``_``, in any order. The text is any
that the rule ``root`` matches.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from labkit.automata.grammar import MAX_RULES, Grammar, call
from labkit.automata.syntax import LAST_CODE_POINT, Alternation, Chars, Concat, Ranges, Repeat
from labkit.errors import InvalidGrammar, LimitExceeded
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges
from labs.lab_06_regex_to_dfa.given.unfolding import explored
from labs.lab_06_regex_to_dfa.solution import minimize_dfa, nfa_to_dfa, unfold

MAX_TEXT = 1_000_000
MAX_NESTING = 100
MAX_REPEAT = 100_000
"""The longest grammar, in characters; the deepest groups; the greatest bound of a repetition."""

MAX_INLINE = 200
"""A rule that calls nothing recursive, of at most so many characters and classes, is written into its callers."""

_TOKEN = re.compile(
    r"""(?P<space>(\s|\#[^\n]*)+)
      | (?P<name>[A-Za-z0-9_-]+)(?P<defines>(\s|\#[^\n]*)*::=)?
      | (?P<text>"(\\.|[^"\\])*")
      | (?P<class>\[(\\.|[^\]\\])*\])
      | (?P<repeat>[?*+]|\{\s*\d+\s*(,\s*\d*\s*)?\})
      | (?P<sign>[()|.])""",
    re.VERBOSE | re.DOTALL,
)

_CHAR = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)|[^\\]", re.DOTALL)

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "b": "\b", "a": "\a", "0": "\0", "e": "\x1b"}
_ESCAPES |= {char: char for char in "\\\"'?/[]-"}
"""What llama.cpp or xgrammar reads after a backslash, beside hexadecimal digits."""

_TEXT_RANGES: Ranges = ((0, 0xD7FF), (0xE000, LAST_CODE_POINT))
"""All characters: surrogates are calls."""


def shipped(name: str) -> str:
    """Return the text of a grammar that comes with the lab: arithmetic, brackets, c, json or sql.

    >>> read_gbnf(shipped("brackets")).names
    ('root',)
    """
    return (Path(__file__).parent / "grammars" / f"{name}.gbnf").read_text(encoding="utf-8")


class _Ref(NamedTuple):
    """The name of a rule in a right-hand side, and where it stands."""

    name: str
    position: int

    @property
    def flags(self) -> int:
        """Nothing that's noted of a node of syntax."""
        return 0


_Tree = Any
"""A tree of lab 06 in which any part may be a ``_Ref``."""


class _Piece(NamedTuple):
    kind: str
    text: str
    position: int


def read_gbnf(text: str) -> Grammar:
    r"""Compile a grammar.

    A rule that is directly left-recursive, ``a ::= a "+" b | b``, becomes ``a ::= b ("+" b)*``. Rules that the root
    does not need are left out.

    Raises:
        InvalidGrammar: for what is malformed, with its line and column.
        LimitExceeded: if the grammar is too long, too deep, or has too many rules or states.

    >>> read_gbnf('root ::= "[" (root ("," root)*)? "]"').names
    ('root',)
    >>> read_gbnf('root ::= "a" |\n  rest')
    Traceback (most recent call last):
    labkit.errors.InvalidGrammar: there is no rule rest, at line 2, column 3
    """
    if len(text) > MAX_TEXT:
        raise LimitExceeded(f"a grammar of {len(text):,} characters", MAX_TEXT)
    trees = _GbnfReader(text).rules()
    if "root" not in trees:
        raise InvalidGrammar("there is no rule root", 1, 1)
    trees = {name: _without_left_recursion(name, tree) for name, tree in trees.items()}
    trees = _inlined(trees, text)
    names = _needed(trees)
    if len(names) > MAX_RULES:
        raise LimitExceeded(f"a grammar has {len(names):,} rules", MAX_RULES)
    codes = {name: ord(call(number)) for number, name in enumerate(names)}
    calls: dict[str, _Tree] = {name: Chars(((code, code),)) for name, code in codes.items()}
    explorations = (explored(_replaced(trees[name], calls), unfold) for name in names)
    return Grammar(tuple(minimize_dfa(nfa_to_dfa(each)) for each in explorations), tuple(names))


def place(text: str, position: int) -> tuple[int, int]:
    r"""Return the line and column of a position, both counted from 1.

    >>> place("ab\nc", 3)
    (2, 1)
    """
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


class _GbnfReader:
    """A recursive descent over the pieces of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces = list(self._split())
        self._at = 0
        self._depth = 0

    def _error(self, problem: str, position: int) -> InvalidGrammar:
        return InvalidGrammar(problem, *place(self._text, position))

    def _split(self) -> Iterator[_Piece]:
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                sign = self._text[at]
                open_ones = {'"': "this text is never closed", "[": "this class is never closed"}
                problem = open_ones.get(sign, "no repetition" if sign == "{" else f"{sign!a} means nothing here")
                raise self._error(problem, at)
            kind = match.lastgroup if match.lastgroup != "defines" else "rule"
            kind = "rule" if match["defines"] else "name" if match["name"] else kind
            kind = next((k for k in ("space", "text", "class", "repeat", "sign") if match[k] is not None), kind)
            if kind != "space":
                yield _Piece(str(kind), match["name"] or match[0], at)
            at = match.end()
        yield _Piece("end", "", len(self._text))

    def _next(self) -> _Piece:
        return self._pieces[self._at]

    def rules(self) -> dict[str, _Tree]:
        """Read all rules, in their order."""
        found: dict[str, _Tree] = {}
        while (piece := self._next()).kind != "end":
            if piece.kind != "rule":
                raise self._error("a rule begins with its name and ::=", piece.position)
            if piece.text in found:
                raise self._error(f"the rule {piece.text} is there already", piece.position)
            self._at += 1
            found[piece.text] = self._alternatives()
            if self._next().kind not in ("rule", "end"):
                raise self._error(f"{self._next().text} closes nothing", self._next().position)
        for tree in found.values():
            for ref in _refs(tree):
                if ref.name not in found:
                    raise self._error(f"there is no rule {ref.name}", ref.position)
        return found

    def _alternatives(self) -> _Tree:
        options = [self._sequence()]
        while self._next().text == "|" and self._next().kind == "sign":
            self._at += 1
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def _sequence(self) -> Concat:
        parts: list[_Tree] = []
        in_a_row = 0
        while True:
            piece = self._next()
            in_a_row = in_a_row + 1 if piece.kind == "repeat" else 0
            if in_a_row > MAX_NESTING:
                raise LimitExceeded(f"{in_a_row} repetitions of each other", MAX_NESTING)
            if piece.kind in ("end", "rule") or (piece.kind == "sign" and piece.text in "|)"):
                return Concat(tuple(parts))
            self._at += 1
            if piece.kind == "repeat":
                if not parts:
                    raise self._error("there is nothing to repeat", piece.position)
                parts[-1] = self._repeated(parts[-1], piece)
            else:
                parts.append(self._part(piece))

    def _part(self, piece: _Piece) -> _Tree:
        if piece.kind == "name":
            return _Ref(piece.text, piece.position)
        if piece.kind == "text":
            chars = [char for char, _ in self._chars(piece)]
            return Concat(tuple(Chars(((char, char),)) for char in chars))
        if piece.kind == "class":
            return self._class(piece)
        if piece.text == ".":
            return Chars(_TEXT_RANGES)
        # A group.
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise LimitExceeded(f"groups {self._depth} deep", MAX_NESTING)
        body = self._alternatives()
        if self._next().text != ")" or self._next().kind != "sign":
            raise self._error("this group is never closed", piece.position)
        self._at += 1
        self._depth -= 1
        return body

    def _repeated(self, body: _Tree, piece: _Piece) -> _Tree:
        least, most = {"?": (0, 1), "*": (0, None), "+": (1, None)}.get(piece.text, (-1, None))
        if least < 0:
            bounds = [bound.strip() for bound in piece.text[1:-1].split(",")]
            least = int(bounds[0][:9])
            most = least if len(bounds) == 1 else int(bounds[1][:9]) if bounds[1] else None
            if most is not None and most < least:
                raise self._error(f"a repetition from {least} to {most} times", piece.position)
            if max(least, most or 0) > MAX_REPEAT:
                raise LimitExceeded(f"a repetition of {max(least, most or 0):,} times", MAX_REPEAT)
        return Repeat(body, least, most)

    def _chars(self, piece: _Piece) -> Iterator[tuple[int, str]]:
        """Yield the code points of a text or class, each with how it is written."""
        at, end = piece.position + 1, piece.position + len(piece.text) - 1
        while at < end:
            match = _CHAR.match(self._text, at, end)
            if match is None:
                raise self._error("this escape is not finished", at)
            escaped = match[1]
            if escaped is None:
                code = ord(match[0])
            elif len(escaped) > 1:
                code = int(escaped[1:], 16)
            elif escaped in "xuU":
                raise self._error(f"\\{escaped} needs {2 << 'xuU'.index(escaped)} hexadecimal digits", at)
            elif escaped in _ESCAPES:
                code = ord(_ESCAPES[escaped])
            else:
                raise self._error(f"there is no escape \\{escaped}", at)
            if code > LAST_CODE_POINT or 0xD800 <= code <= 0xDFFF:
                raise self._error(f"{match[0]} is no character", at)
            yield code, match[0]
            at = match.end()

    def _class(self, piece: _Piece) -> Chars:
        chars = list(self._chars(piece))
        negated = bool(chars) and chars[0] == (ord("^"), "^")
        chars = chars[1:] if negated else chars
        found, at = [], 0
        while at < len(chars):
            first = last = chars[at][0]
            if at + 2 < len(chars) and chars[at + 1][1] == "-":
                last = chars[at + 2][0]
                at += 2
            if last < first:
                raise self._error(f"the range {chr(first)!a}-{chr(last)!a} runs backwards", piece.position)
            found.append((first, last))
            at += 1
        # Surrogates go, whichever side they are on.
        surrogates = (0xD800, 0xDFFF)
        ranges = merge_ranges(found)
        ranges = complement_ranges(merge_ranges([*(ranges if negated else complement_ranges(ranges)), surrogates]))
        if not ranges:
            raise self._error("this class matches no character", piece.position)
        return Chars(ranges)


# Trees ------------------------------------------------------------------------------------------------------


def _parts(tree: _Tree) -> tuple[_Tree, ...]:
    match tree:
        case Concat(parts):
            return parts
        case Alternation(options):
            return options
        case Repeat(body):
            return (body,)
    return ()


def _refs(tree: _Tree) -> Iterator[_Ref]:
    if isinstance(tree, _Ref):
        yield tree
    for part in _parts(tree):
        yield from _refs(part)


def _without_left_recursion(name: str, tree: _Tree) -> _Tree:
    """Return ``base (rest)*`` for ``name ::= name rest | base``; other trees as they are."""
    options = tree.options if isinstance(tree, Alternation) else (tree,)
    base, rests = [], []
    for option in options:
        parts = option.parts if isinstance(option, Concat) else (option,)
        head: object = parts[0] if parts else None
        if isinstance(head, _Ref) and head.name == name:
            if len(parts) > 1:
                rests.append(Concat(parts[1:]))
        else:
            base.append(option)
    if len(base) == len(options) or not base:
        return tree
    first = Alternation(tuple(base))
    return Concat((first, Repeat(Alternation(tuple(rests)), 0, None))) if rests else first


def _replaced(tree: _Tree, small: dict[str, _Tree]) -> _Tree:
    match tree:
        case _Ref(name, _):
            return small.get(name, tree)
        case Concat(parts):
            return Concat(tuple(_replaced(part, small) for part in parts))
        case Alternation(options):
            return Alternation(tuple(_replaced(option, small) for option in options))
        case Repeat(body, least, most):
            return Repeat(_replaced(body, small), least, most)
    return tree


def _size(tree: _Tree) -> tuple[int, int]:
    """Return how many leaves a tree has, repetitions written out, and how deep it is."""
    sizes = [_size(part) for part in _parts(tree)]
    leaves, depth = sum(size for size, _ in sizes), 1 + max((depth for _, depth in sizes), default=0)
    if isinstance(tree, Repeat):
        leaves *= max(1, tree.most or 1, tree.least)
    return max(leaves, 1), depth


def _inlined(trees: dict[str, _Tree], text: str) -> dict[str, _Tree]:
    """Write small rules into their callers, those that call no others first."""
    small: dict[str, _Tree] = {}
    waiting = dict(trees)
    while True:
        ready = [n for n, tree in waiting.items() if n != "root" and all(ref.name in small for ref in _refs(tree))]
        if not ready:
            break
        for name in ready:
            tree = _replaced(waiting.pop(name), small)
            size, depth = _size(tree)
            if size <= MAX_INLINE and depth <= MAX_NESTING:
                small[name] = tree
            trees = {**trees, name: tree}
    return {name: _replaced(tree, small) for name, tree in trees.items() if name not in small}


def _needed(trees: dict[str, _Tree]) -> list[str]:
    found = ["root"]
    for name in found:
        for ref in _refs(trees[name]):
            if ref.name not in found:
                found.append(ref.name)
    return found
