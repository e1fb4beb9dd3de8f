"""Pieces of trees: keys, values as JSON writes them, and how little the texts of a tree need."""

from collections.abc import Sequence
from functools import lru_cache
from math import inf

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Alternation, Chars, Concat, Ranges, Repeat
from labkit.automata.trees import NOTHING, char, choice, row, times
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.values import SHORT
from mask_engine.patterns.any_order import Prices
from mask_engine.patterns.lazy import Later, Rule, Spelled, Tree, Unordered, rests_first

_NEVER_RAW: Ranges = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C), (0xD800, 0xDFFF))
"""What no JSON string holds raw: control characters, quote, backslash, and halves of pairs."""

_BLOCKS = ((0, 0xD7FF), (0xE000, 0xFFFF))
"""The characters that four digits are."""

_CUT_BLOCKS = ((0, 0x7F), (0x80, 0xD7FF), _BLOCKS[1])
"""The same for ranges that begin in between: most sets of keys differ in ASCII alone, and share the trees beyond."""

_HEX = (*"0123456789", "aA", "bB", "cC", "dD", "eE", "fF")

_spelled = lru_cache(maxsize=512)(lab.spell_character)


def quoted(text: str) -> Tree:
    """Return the tree of a text as a JSON string."""
    return row(char('"'), *spelled_text(text), char('"'))


def spelled_text(text: str) -> list[Tree]:
    """Return the trees of the characters of a text in a JSON string."""
    return [_spelled(character) for character in text]


def words(texts: Sequence[str]) -> Tree:
    """Return the tree of some texts as JSON strings, which share what they begin and end with.

    >>> Fewest()(words(["one", "three"]))  # "one" in quotes
    5.0
    """
    found = literals(texts)
    spelling = [
        choice([_spelled(chr(code)) for a, b in each for code in range(a, b + 1)]) for each in found.class_ranges
    ]
    return row(char('"'), Spelled(found, tuple(spelling)), char('"'))


def string_of(values: Tree, most: int | None = None) -> Tree:
    """Return the tree of the JSON strings of some values; of those of an automaton, of at most so many characters."""
    return row(char('"'), spelled(values, most), char('"'))


def spelled(values: Tree, most: int | None = None) -> Tree:
    """Return the tree of some values as they are written between the quotes of a JSON string; ``most`` as above."""
    match values:
        case Dfa():
            return Spelled(values, tuple(map(characters, values.class_ranges)), most)
        case Chars(ranges):
            return characters(ranges) if ranges else values
        case Concat(parts):
            return row(*map(spelled, parts))
        case Alternation(options):
            return choice(list(map(spelled, options)))
        case Repeat(body, least, most):
            return times(spelled(body), least, most)
    raise TypeError(f"no node of a tree without anchors: {values!r}")


@lru_cache(maxsize=512)
def characters(ranges: Ranges) -> Tree:
    """Return the tree of one of some characters, in each form that JSON allows."""
    raw = complement_ranges(merge_ranges((*complement_ranges(ranges), *_NEVER_RAW)))
    short = [(ord(letter),) * 2 for letter, meant in SHORT.items() if any(a <= ord(meant) <= b for a, b in ranges)]
    escapes = [*map(Chars, [merge_ranges(short)] * bool(short)), row(char("u"), choice(_units(ranges)))]
    return choice([*map(Chars, [raw] * bool(raw)), row(char("\\"), choice(escapes))])


def _units(ranges: Ranges) -> list[Tree]:
    """Return the trees of the digits after ``\\u`` of some characters; beyond U+FFFF two halves stand for one."""
    found: list[Tree] = []
    for first, last in ranges:
        for start, end in _CUT_BLOCKS if first else _BLOCKS:
            if first <= end and last >= start:
                found.append(_hex(max(first, start), min(last, end), 4))
        if last > 0xFFFF:
            found += _pairs(max(first, 0x10000) - 0x10000, last - 0x10000)
    return found or [NOTHING]


def _pairs(first: int, last: int) -> list[Tree]:
    """Return the trees of pairs of halves: 20 bits, of which each half has ten."""
    (high, low), (last_high, last_low) = divmod(first, 0x400), divmod(last, 0x400)
    if high == last_high:
        return [_pair(high, high, low, last_low)]
    found = [_pair(high, high, low, 0x3FF)] if low else []
    high += bool(low)
    if last_low < 0x3FF:
        found.append(_pair(last_high, last_high, 0, last_low))
        last_high -= 1
    return [*found, _pair(high, last_high, 0, 0x3FF)] if high <= last_high else found


@lru_cache(maxsize=256)
def _pair(high: int, last_high: int, low: int, last_low: int) -> Tree:
    lower = _hex(0xDC00 + low, 0xDC00 + last_low, 4)
    return row(_hex(0xD800 + high, 0xD800 + last_high, 4), char("\\"), char("u"), lower)


@lru_cache(maxsize=2048)
def _hex(first: int, last: int, width: int) -> Tree:
    """Return the tree of the hexadecimal numbers between two of so many digits, each letter in either case."""
    if width == 1:
        return _digits(first, last)
    size = 16 ** (width - 1)
    (start, below), (end, last_below) = divmod(first, size), divmod(last, size)
    if start == end:
        rest = _hex(below, last_below, width - 1)
        return row(_digits(start, start), rest)
    options: list[Tree] = []
    if below:
        options.append(row(_digits(start, start), _hex(below, size - 1, width - 1)))
        start += 1
    if last_below < size - 1:
        options.append(row(_digits(end, end), _hex(0, last_below, width - 1)))
        end -= 1
    if start <= end:
        options.append(row(_digits(start, end), times(_digits(0, 15), width - 1, width - 1)))
    return choice(options)


@lru_cache(maxsize=256)
def _digits(first: int, last: int) -> Tree:
    return Chars(merge_ranges([(ord(digit),) * 2 for digit in "".join(_HEX[first : last + 1])]))


class Letters:
    """Letters that stand for trees in an automaton that is made first: the order and the number of the parts.

    >>> letters = Letters()
    >>> one = letters.add(char("1"))
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> Fewest()(letters.put_into(compile_dfa(f"{one}{{3}}")))  # 111
    3.0
    """

    def __init__(self) -> None:
        self.trees: dict[int, Tree] = {}

    def add(self, tree: Tree) -> str:
        """Return a new letter: a surrogate, which no text has."""
        self.trees[0xD800 + len(self.trees)] = tree
        return chr(0xD800 + len(self.trees) - 1)

    def put_into(self, skeleton: Dfa) -> Tree:
        """Return the tree of a minimal automaton over letters and characters."""
        if not skeleton.n_classes:
            return NOTHING
        spelling = list[Tree]()
        for ranges in skeleton.class_ranges:
            letters = [tree for code, tree in self.trees.items() if any(a <= code <= b for a, b in ranges)]
            others = tuple((first, last) for first, last in ranges if last < 0xD800 or first > 0xDFFF)
            spelling.append(choice([*letters, *([Chars(others)] if others else [])]))
        return Spelled(skeleton, tuple(spelling))


class Fewest:
    """Finds how many characters the shortest text of a tree has; infinitely many if there's no text.

    What's built later counts as none. We need this because of rules: one that always holds itself has no text.

    >>> find = Fewest()
    >>> find(times(char("a"), 2, None)), find(choice([NOTHING, row(char("a"), NOTHING)]))  # neither option has a text
    (2, inf)
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[float, Tree]] = {}  # the trees are kept, so that no other gets the same id
        self._open: set[int] = set()

    def __call__(self, tree: Tree) -> float:
        """Return the fewest characters."""
        rest: list[float] = []
        for each in rests_first(tree, self._known):
            if (known := self._known.get(id(each))) is not None:
                rest = [known[0]]
                continue
            # Each ends with the one before, whose answer isn't kept if it's infinite while a rule is open.
            before = [self(part) for part in each.parts[:-1]] if rest and isinstance(each, Concat) else []
            found = sum(before + rest) if rest and isinstance(each, Concat) else self._find(each)
            if found < inf or not self._open:
                self._known[id(each)] = found, each
            rest = [found]
        return rest[0]

    def _find(self, tree: Tree) -> float:
        match tree:
            case Chars(ranges):
                return 1 if ranges else inf
            case Concat(parts):
                return sum(map(self, parts))
            case Alternation(options):
                return min(map(self, options), default=inf)
            case Repeat(body, least, _):
                return least * self(body) if least else 0
            case Unordered(order, spelling):
                return Prices(order, list(map(self, spelling)))(order.initial)
            case Spelled(dfa, spelling, most):
                return _through(dfa, list(map(self, spelling)), most)
            case Dfa():
                return _through(tree, [1] * tree.n_classes)
            case Later():
                return 0  # it has a text, and that's all we may ask before it's built
            case Rule(_, body) if body is not None:
                # subtle: a text of a rule with a text of the same rule in it is not the shortest
                if id(tree) in self._open:
                    return inf
                self._open.add(id(tree))
                try:
                    return self(body)
                finally:
                    self._open.discard(id(tree))
        raise TypeError(f"no tree: {tree!r}")


def _through(dfa: Dfa, costs: Sequence[float], most: int | None = None) -> float:
    """Return what the cheapest path to an accepting state costs, at so much a class, in at most so many steps."""
    table = dfa.transitions.tolist()
    cost, level, steps = {dfa.initial: 0.0}, {dfa.initial: 0.0}, 0
    while level and steps != most:
        cheaper: dict[int, float] = {}
        for state, before in level.items():
            for target, price in zip(table[state], costs, strict=True):
                if target != DEAD and before + price < min(cost.get(target, inf), cheaper.get(target, inf)):
                    cheaper[target] = before + price
        cost.update(cheaper)
        level, steps = cheaper, steps + 1
    return min((each for state, each in cost.items() if dfa.accepting[state]), default=inf)
