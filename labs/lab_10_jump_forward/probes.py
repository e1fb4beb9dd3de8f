"""Fixed questions to each function of lab 10. The answers distinguish one misconception from another.

The guides are lists of words; a state is the text so far, in bytes.
"""

from collections.abc import Callable, Sequence
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from labkit.checking.probing import attempt
from labkit.vocabulary import Vocabulary

TOKENS = [b"n", b"na", b"nam", b"e", b"me", b"name", b"{", b'{"', b'"', b"</s>", b"1", b"12"]
TOKENS += [b"\xc3", b"\xa9", b"", b"n", b"a", b"ab", b"bcd", b"b", b"c", b"d", b" ", b'":"', b":"]
EOS = TOKENS.index(b"</s>")
SMALL = Vocabulary(TOKENS, eos_id=EOS)
END = b"<end>"


class WordGuide:
    """A guide of some words, which notes what it is asked."""

    def __init__(self, *words: bytes) -> None:
        self.words = words
        self.calls: list[Any] = []

    def alive(self, state: bytes) -> bool:
        """Return whether a word begins so."""
        return any(word.startswith(state) for word in self.words)

    def fewest(self, state: bytes) -> float:
        """Return the fewest tokens to a word."""
        if state in self.words:
            return 0
        longer = (state + token for i, token in enumerate(TOKENS) if token and i != EOS)
        return 1 + min((self.fewest(each) for each in longer if self.alive(each)), default=np.inf)

    def mask(self, state: bytes, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the bitmask of a state."""
        self.calls.append(["mask", state, remaining])
        bits = np.zeros(32, bool)
        for i, token in enumerate(TOKENS):
            if token and i != EOS and state != END and self.alive(state + token):
                bits[i] = remaining is None or self.fewest(state + token) + 2 <= remaining
        bits[EOS] = state in self.words
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def next_bytes(self, state: bytes) -> bytes:
        """Return the bytes that may come next."""
        self.calls.append(["bytes", state])
        return bytes(byte for byte in range(256) if state != END and self.alive(state + bytes([byte])))

    def made(self, lab: Any, initial: bytes = b"") -> Any:
        """Return the guide as the lab takes it."""

        def advance(state: bytes, token_id: int) -> bytes:
            return END if token_id == EOS else state + TOKENS[token_id]

        def whole(state: bytes) -> bool:
            return not state.endswith(b"\xc3")

        accepts = lambda state: state in self.words or state == END  # noqa: E731
        of_tokens = lab.GuideOfFunctions(initial, self.mask, print, advance, accepts, self.fewest)
        return lab.ByteGuideOfFunctions(of_tokens, self.next_bytes, lambda state, byte: state + bytes([byte]), whole)


GRAMMARS = (
    (b"name", b"nose"),
    (b'{"name"1', b'{"name"12'),
    (b"name", b"name1"),
    (b"\xc3\xa9n", b"\xc3\xa8n"),
    (b"12\xc3\xa9", b"1\xc3\xa9"),
    (b"\xc3\xa91",),
    (b"\0n", b"\0e"),
    (b"{e", b'{"e'),
    (b"\xc3\xa9\xc3\xa9", b"\xc3\xa9\xc3\xa8"),
    (b'{":"', b'{"1'),
)


def _states(words: Sequence[bytes]) -> list[bytes]:
    return [words[0][:n] for n in range(len(words[0]) + 1)]


def probe_forced_byte(lab: Any) -> list[object]:
    return [attempt(lab.forced_byte, WordGuide(*w).made(lab), s) for w in GRAMMARS for s in (*_states(w), b"dead end")]


def probe_forced_run(lab: Any) -> list[object]:
    found: list[object] = []
    for words in GRAMMARS:
        for state in _states(words)[:3]:
            for limit in (0, 1, 2, 3, 9):
                guide = WordGuide(*words)
                found.append([attempt(lab.forced_run, guide.made(lab), state, limit), len(guide.calls)])
    return found


def _greedy(text: str) -> list[int]:
    data, found = text.encode(), list[int]()
    while data:
        best = max((t for t in TOKENS if t and t != b"</s>" and data.startswith(t)), key=len)
        found.append(TOKENS.index(best))
        data = data[len(best) :]
    return found


def probe_retokenized(lab: Any) -> list[object]:
    found: list[object] = []
    spaced = lambda text: [TOKENS.index(b" "), *_greedy(text)]  # noqa: E731
    encoders: tuple[Callable[[str], list[int]], ...] = (_greedy, spaced, lambda text: [])
    for encode in encoders:
        for last, run in (([6], b'"na'), ([], b"name"), ([0], b"ame"), ([12], b"\xa9n"), ([13], b"n"), ([1], b"\xc3")):
            asked: list[Any] = []
            tokens = lab.TokenBytes(
                SMALL, lambda text, asked=asked, encode=encode: (asked.append(text), encode(text))[1]
            )
            found.append([attempt(lab.retokenized, last, run, tokens), last, asked])
    changed: tuple[tuple[Callable[[str], list[int]], list[int], bytes], ...] = (
        (lambda text: [EOS, *_greedy(text)], [6], b'"na'),
        (lambda text: [*_greedy(text), EOS], [], b"na"),
        (_greedy, [EOS], b"name"),
        (lambda text: _greedy(text.lower()), [0], b"AME"),
        (lambda text: _greedy(normalize("NFC", text)), [3], "\u0301".encode()),
    )
    for encode, last, run in changed:
        found.append(attempt(lab.retokenized, last, run, lab.TokenBytes(SMALL, encode)))
    return found


def probe_certain_tokens(lab: Any) -> list[object]:
    found: list[object] = []
    tails: tuple[list[bytes], ...] = (
        [b"{"],
        [b"n", b"a"],
        [b"na", b"me"],
        [b"{", b'"', b"e"],
        [b"1"],
        [b"{", b'"', b"na", b"me", b'"'],
        [],
    )
    for words in GRAMMARS:
        for tail in tails:
            for known in (True, False):
                guide = WordGuide(*words)
                before = [b"".join(tail[:n]) if known or n else None for n in range(len(tail))]
                asked = (guide.made(lab), before, tail, lab.TokenBytes(SMALL))
                found.append([attempt(lab.certain_tokens, *asked), len(guide.calls)])
    return found


def probe_jump(lab: Any) -> list[object]:
    found: list[object] = []
    for policy in ("single", "longest", "whole"):
        jumper = lab.Jumper(policy, lab.TokenBytes(SMALL, _greedy))
        for words in (*GRAMMARS, (b"e1e",), (b"namename",), (b"ename",), (b'n":"', b'n"1')):
            for written in ([], [6], [0], [15], [10], [12], [3], [5], [6, 8]):
                text = b"".join(TOKENS[i] for i in written)
                for remaining in (0, 1, 2, 3, 9) if WordGuide(*words).alive(text) else ():
                    state = lab.StructuredOutputState(WordGuide(*words).made(lab), text)
                    answer = attempt(lab.jump, jumper, state, written, remaining)
                    found.append([answer, state.current, list(written)])
    long = WordGuide(b"e" * 30)
    attempt(lab.jump, lab.Jumper("longest", lab.TokenBytes(SMALL)), lab.StructuredOutputState(long.made(lab)), [], 1)
    return [*found, len(long.calls) > 9]


def probe_append_to_cache(lab: Any) -> list[object]:
    found: list[object] = []
    for lengths, counts in (([0, 0], [2, 3]), ([3, 1], [1, 1]), ([3, 0, 2], [4, 0, 1]), ([1, 5], [0, 0]), ([2], [3])):
        cache = np.zeros((len(counts), 9, 1), np.float32)
        new = np.arange(1, sum(counts) + 1, dtype=np.float32)[:, None]
        before = np.array(lengths, np.intp)
        answer = attempt(lab.append_to_cache, cache, before, np.array(counts, np.intp), new)
        found.append([answer, cache, before])
    return found


def probe_batch_step(lab: Any) -> list[object]:
    found: list[object] = []
    settings = (
        (12, "longest", 1.0),
        (12, "whole", 1.0),
        (6, "longest", 1.0),
        (9, "single", 50.0),
        (9, "longest", 50.0),
    )
    grammars = ((b'{"name"1', b'{"name"12'), (b"e1e", b"12"), (b"n",), (b"1n1n", b"1n1e"), (b"ee", b"en", b"ne", b"nn"))
    for limit, policy, penalty in settings:
        calls: list[Any] = []

        def row(ids: Sequence[int], calls: list[Any] = calls) -> NDArray[np.float32]:
            calls.append([*ids])
            return np.where(np.arange(len(TOKENS)) == 6, 9, -1 - np.arange(len(TOKENS))).astype(np.float32)

        params = lab.SamplingParams(max_tokens=7, temperature=0, repetition_penalty=penalty)
        streams = [
            lab.Stream([1] * 2, lab.StructuredOutputState(WordGuide(*words).made(lab)), params) for words in grammars
        ]
        tight = lab.SamplingParams(max_tokens=5, temperature=0)
        guide = WordGuide(b"1abcd1", b"1abcd12").made(lab)
        streams.append(lab.Stream([1], lab.StructuredOutputState(guide), tight))
        warm = lab.SamplingParams(max_tokens=7, temperature=50.0, seed=8)
        streams.append(
            lab.Stream([1], lab.StructuredOutputState(WordGuide(b"ee", b"e1", b"1e", b"11").made(lab)), warm)
        )
        ended = lab.StructuredOutputState(WordGuide(b"ee").made(lab), b"e")
        over = {"ids": [3], "logprobs": [-1.0], "computed": 1, "finish_reason": "length"}
        streams.append(lab.Stream([1], ended, lab.SamplingParams(max_tokens=1), **over))
        model = lab.ScriptedModel(row, len(TOKENS))
        cache, jumper = model.new_cache(len(streams)), lab.Jumper(policy, lab.TokenBytes(SMALL, _greedy))
        for _ in range(5):
            answer = attempt(lab.batch_step, streams, model, cache, jumper, limit)
            chosen = [[each if each is None else round(each, 3) for each in s.logprobs] for s in streams]
            written = [[[*s.ids], s.finish_reason, s.computed] for s in streams]
            found.append([answer, written, chosen, len(calls)])
        found.append(calls)
    return found
