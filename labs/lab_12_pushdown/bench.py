"""The cases of lab 12 in ``python3 -m course bench``: masks from tables, beside walks over the stack and other engines.

The engines compile any JSON value, ours from its grammar and others from the schema ``{}``, and make the first mask;
then a mask and a step for each token of a text. Packages of other projects are imported when they are used.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.bench import Case, Job, Setting
from labkit.vocabulary import Vocabulary
from labs.lab_12_pushdown.given.gbnf import shipped
from mask_engine import Guide, compile_guide

TEXTS = (
    ("json", "in a string", "", '[{"users": ', '[{"name": "Ada'),
    ("json", "after a number", "", "[", "1, 2"),
    ("sql", "in a subquery", "", "SELECT a FROM t WHERE b IN (", "SELECT c FROM u WHERE d = 1"),
    ("c", "in a call", "int vmain() {\nvf(", "(", "vb + (vc + 1"),
    ("brackets", "open", "", "[({", "["),
)
"""Grammars, and three texts each: the second may come any number of times, and the mask is the one after the third."""


WALKS = {
    "a document": '{"users": [{"name": "Ada", "age": 36, "tags": ["math", "poetry"], "ok": true}, {"name": null, '
    '"nested": [[1, 2], [3.5, [-4e3]]], "note": "Grüße,\\n世界"}], "count": 2, "empty": {}}',
    "in a string": '["' + "She wrote notes on the engine, and published the first program of all. " * 4,
}
"""JSON, and the beginning of a long string: what the engines read token by token."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each text, then those beside other engines; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    for text in TEXTS:
        yield partial(_mask, setting.vocabulary, *text)
    for name, (_, modules, walks) in ENGINES.items():
        if all(map(find_spec, modules)):
            yield partial(_first_mask, setting.vocabulary, name)
            yield from (partial(_walk, setting.vocabulary, name, text) for text in WALKS if walks)


def _mask(vocabulary: Vocabulary, grammar: str, where: str, before: str, opening: str, text: str) -> Case:
    def masks(often: int) -> Iterator[Callable[[], NDArray[np.int32]]]:
        """Return what makes the masks of many stacks. None of them has been met before."""
        guide, states = compile_guide(vocabulary, grammar=shipped(grammar)), list[int]()
        for depth in range(1, 80):
            state = guide.initial
            for byte in (before + opening * depth + text).encode():
                state = guide.after_byte(state, byte)
            states.append(state)
        guide._fsm.fsm.often = often
        return iter([partial(guide.mask, state) for state in states])

    walked, made = masks(10**9), masks(0)
    for _ in range(20):  # with the tables that are needed made before
        slow, fast = next(walked)(), next(made)()
        if (slow != fast).any():
            raise ValueError(f"{grammar}, {where}: the masks differ")
    return Case(
        "a mask under a grammar, on a new stack",
        f"{grammar}, {where}",
        ("every token over the stack", "tables, and rests over the stack"),
        slow=lambda: next(walked)(),
        fast=lambda: next(made)(),
        times=9,
        tokens=len(vocabulary),
    )


# Any JSON value, beside other engines ---------------------------------------------------------------------

Step = Callable[[], Callable[[int], object]]
"""Starts a request; its result makes a mask and reads a token."""


def _ours(vocabulary: Vocabulary, words: NDArray[np.int32]) -> Callable[[], Step]:
    def compiled() -> Step:
        guide = compile_guide(vocabulary, grammar=shipped("json"))
        guide.fill((guide.initial,), words)
        return partial(_request, guide, words)

    return compiled


def _request(guide: Guide, words: NDArray[np.int32]) -> Callable[[int], object]:
    state = guide.initial

    def step(token_id: int) -> bool:
        nonlocal state
        guide.fill((state,), words)
        state = guide.advance(state, token_id)
        return True

    return step


def _xgrammar(builtin: bool, vocabulary: Vocabulary, words: NDArray[np.int32]) -> Callable[[], Step]:
    import torch
    import xgrammar

    # A special token is recognised by its empty text; EOS has to be named.
    texts = [b"" if i in vocabulary.special_ids else token for i, token in enumerate(vocabulary.token_bytes)]
    info = xgrammar.TokenizerInfo(texts, vocab_size=len(texts), stop_token_ids=[vocabulary.eos_id])
    compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
    out = torch.from_numpy(words)

    def compiled() -> Step:
        matcher = xgrammar.GrammarMatcher(
            compiler.compile_builtin_json_grammar() if builtin else compiler.compile_json_schema("{}")
        )
        fill, accept = partial(matcher.fill_next_token_bitmask, out), matcher.accept_token
        fill()

        def start() -> Callable[[int], object]:
            matcher.reset()
            return lambda token_id: (fill(), accept(token_id))[1]

        return start

    return compiled


class _Tokens:
    """The tokenizer's interface that llguidance expects; it tokenizes forced text, of which there is none here."""

    is_tokenizer_wrapper = True
    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.eos_token_id = vocabulary.eos_id
        self.tokens = list(vocabulary.token_bytes)
        self.special_token_ids = sorted(vocabulary.special_ids)
        self._vocabulary = vocabulary

    def __call__(self, text: str | bytes) -> list[int]:
        return longest_tokens(self._vocabulary, text.encode() if isinstance(text, str) else text)


def _llguidance(vocabulary: Vocabulary, words: NDArray[np.int32]) -> Callable[[], Step]:
    import llguidance

    tokenizer = llguidance.LLTokenizer(_Tokens(vocabulary))
    place = words.ctypes.data, words.nbytes

    def compiled() -> Step:
        matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_json_schema("{}"))
        fill = partial(matcher.unsafe_compute_mask_ptr, *place)
        fill()

        def start() -> Callable[[int], object]:
            matcher.reset()
            return lambda token_id: (fill(), matcher.consume_token(token_id))[1]

        return start

    return compiled


def _outlines_core(vocabulary: Vocabulary, words: NDArray[np.int32]) -> Callable[[], Any]:
    import outlines_core

    ids: dict[bytes, list[int]] = {}
    for token_id, token in enumerate(vocabulary.token_bytes):
        if token_id not in vocabulary.special_ids:
            ids.setdefault(token, []).append(token_id)
    known = outlines_core.Vocabulary(vocabulary.eos_id, ids)
    place = words.ctypes.data, words.size, 4

    def compiled() -> None:
        regex = outlines_core.json_schema.build_regex_from_schema("{}")
        outlines_core.Guide(outlines_core.Index(regex, known)).write_mask_into(*place)

    return compiled


ENGINES: dict[str, tuple[Callable[[Vocabulary, NDArray[np.int32]], Callable[[], Any]], tuple[str, ...], bool]] = {
    "xgrammar, {}": (partial(_xgrammar, False), ("xgrammar", "torch"), True),
    "xgrammar, its JSON grammar": (partial(_xgrammar, True), ("xgrammar", "torch"), True),
    "llguidance, {}": (_llguidance, ("llguidance",), True),
    "outlines-core, {} to a small depth": (_outlines_core, ("outlines_core",), False),
}
"""By name: what makes the engine ready for a vocabulary, its modules, and whether it takes JSON of any depth."""

WANTED = ("xgrammar", "torch", "llguidance", "outlines_core")
"""Packages that are compared where they are installed."""


def longest_tokens(vocabulary: Vocabulary, text: bytes) -> list[int]:
    """Return a text as the longest tokens, from its start.

    >>> longest_tokens(Vocabulary([b"[", b"[[", b"</s>"], eos_id=2), b"[[[")
    [1, 0]
    """
    ids = {token: token_id for token_id, token in enumerate(vocabulary.token_bytes) if token}
    longest, found = max(map(len, ids)), []
    while text:
        size = next(size for size in range(longest, 0, -1) if text[:size] in ids)
        found.append(ids[text[:size]])
        text = text[size:]
    return found


def _pair(vocabulary: Vocabulary, name: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    words = np.zeros((1, -(-len(vocabulary) // 32)), np.int32)
    return ENGINES[name][0](vocabulary, words), _ours(vocabulary, words)


def _first_mask(vocabulary: Vocabulary, name: str) -> Case:
    other, ours = _pair(vocabulary, name)
    job = "any JSON value, from the schema or the grammar to its first mask"
    times = 5 if ENGINES[name][2] else 1
    return Case(job, name, ("the other engine", "ours"), other, ours, times, tokens=len(vocabulary))


def _walk(vocabulary: Vocabulary, name: str, text: str) -> Case:
    tokens = longest_tokens(vocabulary, WALKS[text].encode())
    other, ours = (_along(compiled(), tokens) for compiled in _pair(vocabulary, name))
    return Case(
        f"any JSON value, a mask and a step for each of {len(tokens)} tokens: {text}",
        name,
        ("the other engine", "ours"),
        other,
        ours,
        times=21,
        note=lambda times: f"{times.fast / len(tokens) * 1e6:.2f} µs a token of ours",
        tokens=len(vocabulary),
    )


def _along(start: Step, tokens: Sequence[int]) -> Job:
    def walk() -> bool:
        step = start()
        return all(step(token_id) for token_id in tokens)

    # The first walk makes tables, and is not timed.
    is_read = walk()
    assert is_read, "an engine refuses a token of JSON"
    return walk
