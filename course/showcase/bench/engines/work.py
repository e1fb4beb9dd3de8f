"""The patterns on which the engines are compared, and walks: sequences of tokens along which they are timed."""

import random
import re
from dataclasses import dataclass

from course.showcase.bench.engines.adapters import Buffer, Compiled, Encode
from labkit.automata.syntax import LAST_CODE_POINT
from labkit.vocabulary import Vocabulary, data_file

Tokens = tuple[int, ...]

SAMPLES, LENGTH = 4, 24
"""Sampled walks a pattern, and the most tokens in one."""


@dataclass(frozen=True)
class Work:
    """A pattern, and texts that it matches, which become walks in the vocabulary's own tokens.

    ``spelled_out`` is the same pattern for the oracle, the module ``regex``, where that module reads a shorthand
    otherwise than Python's ``re``, whose meaning counts here.
    """

    name: str
    regex: str
    texts: tuple[str, ...]
    spelled_out: str = ""

    @property
    def for_oracle(self) -> str:
        """The pattern for the oracle."""
        return self.spelled_out or self.regex


_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za")


def work_set() -> list[Work]:
    """Return twelve patterns: literals, numbers, formats, strings of any characters, and a long choice.

    >>> [work.name for work in work_set()][:4], all(re.fullmatch(w.regex, t) for w in work_set() for t in w.texts)
    (['hex', 'decimal', 'choice', 'date-time'], True)
    """
    names = choices(500)
    return [
        Work("hex", "0x[0-9a-f]+", ("0x1fe0", "0xdeadbeef")),
        Work("decimal", r"([0-9]+)?\.[0-9]+", ("3.14159", ".5")),
        Work("choice", "yes|no|maybe", ("yes", "no", "maybe")),
        Work(
            "date-time",
            rf"{_DAY}T{_HOUR}:[0-5][0-9](\.[0-9]+)?(Z|[+-]{_HOUR})",
            ("2024-05-17T12:30:00Z", "1999-12-31T23:59:59.25+02:00"),
        ),
        Work("IPv4", rf"({_OCTET}\.){{3}}{_OCTET}", ("192.168.17.4", "8.8.8.255")),
        Work(
            "e-mail",
            r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
            ("ada.lovelace@mail.example.org", "x_1@a-b.co"),
        ),
        Work("UUID", _UUID, ("123e4567-e89b-12d3-a456-426614174000", "deadbeef-0000-4bad-9ace-0123456789ab")),
        Work(
            "JSON string",
            r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
            ('"café \\u00e9 \\"hi\\" 世界 🦜"', '"The quick brown fox\\njumps, 12 times: over/under."'),
        ),
        Work(
            "phone",
            r"(\+[0-9]{1,3} )?\(?[0-9]{3}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}",
            ("+44 (020) 555-0199", "5551234567"),
        ),
        Work(r"\w+", r"\w+", ("Grüße_世界9", "constrained"), spelled_out=f"[{word_class()}]+"),
        Work(".{0,200}", ".{0,200}", ("Hello, world! 🦜 Ça va?", "a line of plain English text, and nothing more")),
        Work("500 strings", "|".join(names), (names[0], names[250], names[499])),
    ]


def choices(count: int) -> list[str]:
    """Return different made-up words of two to five syllables, always the same, in order.

    >>> choices(3)
    ['gutipu', 'tilegunole', 'zakaxufo']
    """
    draw, found = random.Random(0), set[str]()
    while len(found) < count:
        found.add("".join(draw.choices(_SYLLABLES, k=draw.randint(2, 5))))
    return sorted(found)


def word_class() -> str:
    r"""Return the inside of a class that is ``\w`` in the running Python's ``re``; ``regex`` adds marks, and more.

    >>> word_class()[:42]
    '\\U00000030-\\U00000039\\U00000041-\\U0000005a'
    """
    runs = re.findall(r"\w+", "".join(map(chr, range(LAST_CODE_POINT + 1))))
    return "".join(rf"\U{ord(run[0]):08x}-\U{ord(run[-1]):08x}" for run in runs)


# Walks --------------------------------------------------------------------------------------------------


def walks(work: Work, compiled: Compiled, vocabulary: Vocabulary, encode: Encode) -> list[Tokens]:
    """Return the pattern's texts as their tokenizer writes them, and walks sampled from a compiled pattern's masks."""
    texts = [tuple(encode(text)) for text in work.texts]
    sampled = [sampled_walk(compiled, vocabulary, random.Random(seed)) for seed in range(SAMPLES)]
    return list(dict.fromkeys([*texts, *sampled]))


def sampled_walk(compiled: Compiled, vocabulary: Vocabulary, draw: random.Random, length: int = LENGTH) -> Tokens:
    """Draw a token from each mask, EOS never; stop where nothing but EOS may follow.

    Raises:
        ValueError: if the engine refuses a token of its own mask.
    """
    buffer = Buffer(len(vocabulary))
    walk, tokens = compiled.start(buffer), list[int]()
    while len(tokens) < length:
        walk.fill()
        allowed = [int(i) for i in buffer.bits().nonzero()[0] if i != vocabulary.eos_id]
        if not allowed:
            break
        tokens.append(draw.choice(allowed))
        if not walk.advance(tokens[-1]):
            raise ValueError(f"token {tokens[-1]} is in the mask after {tokens[:-1]}, and refused")
    return tuple(tokens)


def tekken_encode() -> Encode:
    """Return the tokenizer of ``Vocabulary.tekken()``: mistral-common's own, which takes a second to import."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(data_file("tekken_240911.json", "the Tekken vocabulary")))
    return lambda text: list(tokenizer.encode(text, bos=False, eos=False))
