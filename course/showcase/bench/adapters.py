"""The course's engine and today's behind one interface; other projects' packages are imported when they are used."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.reading import READINGS, Reading
from labkit.vocabulary import Vocabulary
from labs.lab_15_gpu_bitmask.solution import unpack
from mask_engine import compile_guide, index_of

Encode = Callable[[str], list[int]]
"""A vocabulary's tokenizer."""


Language = str | dict[str, Any]
"""A regular expression, or a JSON Schema."""


class Buffer:
    """A bitmask, ``int32[1, ceil(V / 32)]``, with its address for the engines that write through a pointer.

    The address is asked for once: NumPy takes longer to give it than some engines to fill the bitmask.
    """

    def __init__(self, vocab_size: int) -> None:
        self.words = np.zeros((1, -(-vocab_size // 32)), np.int32)
        self.address = int(self.words.ctypes.data)
        self.vocab_size = vocab_size

    def allows(self, token_id: int) -> bool:
        """Return whether a token's bit is set."""
        return bool(self.words[0, token_id >> 5] >> (token_id & 31) & 1)

    def bits(self) -> NDArray[np.bool_]:
        """Return the mask as ``bool[V]``."""
        bits: NDArray[np.bool_] = unpack(self.words, self.vocab_size)[0]
        return bits


@dataclass(frozen=True)
class Walk:
    """One request on a compiled pattern.

    Attributes:
        fill: writes the mask of the tokens that may come next into the walk's buffer.
        advance: takes a token id; returns False where the engine refuses the token, and the walk is over.
        trouble: what is wrong where the engine gave up, and its mask says no more; empty if all is well.
    """

    fill: Callable[[], object]
    advance: Callable[[int], bool]
    trouble: Callable[[], str] = str


Start = Callable[[Buffer], Walk]
"""Starts a request, whose masks go to the buffer. Only the newest request is used."""


@dataclass(frozen=True)
class MaskEngine:
    """A mask engine, made ready for one vocabulary.

    Attributes:
        compile: compiles a pattern or a schema anew, without any cache, to what starts a request; raises an error where
            the engine refuses it.
    """

    name: str
    version: str
    compile: Callable[[Language], Start]


OUR_READINGS = {
    "form": READINGS["form"],
    "open": Reading(closed=False),
    "unordered": Reading(closed=False, order="any"),
    "validator": replace(READINGS["validator"], formats=True),
}
"""The readings of a schema, each with all that the one before it takes, and more; see ``labkit.reading``. Formats count
in all of them, as they do for MaskBench."""


def our_reading(name: str) -> Reading:
    """Return one of ``OUR_READINGS``.

    >>> our_reading("parser")
    Traceback (most recent call last):
    ValueError: --reading is one of form, open, unordered, validator, not 'parser'
    """
    if name not in OUR_READINGS:
        raise ValueError(f"--reading is one of {', '.join(OUR_READINGS)}, not {name!r}")
    return OUR_READINGS[name]


# The engines --------------------------------------------------------------------------------------------


def ours(vocabulary: Vocabulary, encode: Encode, *, reading: str = "form") -> MaskEngine:
    """Return the guides of ``mask_engine``, whose masks are computed when they are first asked for.

    Args:
        reading: one of ``OUR_READINGS``. xgrammar leaves out members that a schema does not mention, as the default
            does.
    """
    read_as = our_reading(reading)
    index_of(vocabulary)

    def compile_(language: Language) -> Start:
        re.purge()  # which checks patterns, and keeps what it has compiled
        if isinstance(language, str):
            guide = compile_guide(vocabulary, regex=language)
        else:
            guide = compile_guide(vocabulary, json_schema=language, reading=read_as)

        def start(buffer: Buffer) -> Walk:
            state = guide.initial

            def advance(token_id: int) -> bool:
                nonlocal state
                state = guide.advance(state, token_id)
                return True

            return Walk(lambda: guide.fill((state,), buffer.words), advance)

        return start

    return MaskEngine("ours" if reading == "form" else f"ours, {reading}", "mask_engine", compile_)


def xgrammar(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return xgrammar with one thread and without its cache; the masks that it can prepare are part of a grammar."""
    import torch
    import xgrammar as xgr

    # A special token is recognised by its empty text; EOS has to be named.
    tokens = [b"" if i in vocabulary.special_ids else token for i, token in enumerate(vocabulary.token_bytes)]
    info = xgr.TokenizerInfo(tokens, vocab_size=len(tokens), stop_token_ids=[vocabulary.eos_id])
    compiler = xgr.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def compile_(language: Language) -> Start:
        if isinstance(language, str):
            grammar = compiler.compile_regex(language)
        else:
            grammar = compiler.compile_json_schema(json.dumps(language))

        def start(buffer: Buffer) -> Walk:
            matcher = xgr.GrammarMatcher(grammar)
            # PyTorch's view of the same memory: a NumPy array would take 0.3 microseconds more.
            words = torch.from_numpy(buffer.words)
            return Walk(partial(matcher.fill_next_token_bitmask, words), matcher.accept_token)

        return start

    return MaskEngine("xgrammar", version("xgrammar"), compile_)


def llguidance(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return llguidance with its general slices and the vocabulary's own tokenizer, as its bindings for models do.

    A matcher computes what it needs as it goes, and keeps it.
    """
    import llguidance as llg

    tokenizer = llg.LLTokenizer(_Tokenizer(vocabulary, encode))

    def compile_(language: Language) -> Start:
        if isinstance(language, str):
            grammar = llg.LLMatcher.grammar_from_regex(language)
        else:
            grammar = llg.LLMatcher.grammar_from_json_schema(json.dumps(language))
        matcher = llg.LLMatcher(tokenizer, grammar)
        if matcher.is_error():
            raise ValueError(f"llguidance refuses {language!r}: {matcher.get_error()}")

        def start(buffer: Buffer) -> Walk:
            matcher.reset()
            return Walk(partial(matcher.unsafe_compute_mask_ptr, buffer.address, buffer.words.nbytes), advance)

        def advance(token_id: int) -> bool:
            # A refused token would put the matcher into an error state for good, so it is asked first.
            return matcher.validate_tokens([token_id]) == 1 and bool(matcher.consume_token(token_id))

        return start

    return MaskEngine("llguidance", version("llguidance"), compile_)


def outlines_core(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return outlines-core, which makes a pattern of a schema, and of that a table of all states and tokens."""
    import outlines_core as oc

    ids: dict[bytes, list[int]] = {}
    for token_id, token in enumerate(vocabulary.token_bytes):
        if token and token_id != vocabulary.eos_id and token_id not in vocabulary.special_ids:
            ids.setdefault(bytes(token), []).append(token_id)
    tokens = oc.Vocabulary(vocabulary.eos_id, ids)

    def compile_(language: Language) -> Start:
        is_pattern = isinstance(language, str)
        pattern = language if is_pattern else oc.json_schema.build_regex_from_schema(json.dumps(language))
        index = oc.Index(pattern, tokens)

        def start(buffer: Buffer) -> Walk:
            guide = oc.Guide(index)

            def advance(token_id: int) -> bool:
                guide.advance(token_id)
                return True

            return Walk(partial(guide.write_mask_into, buffer.address, buffer.words.size, 4), advance)

        return start

    return MaskEngine("outlines-core", version("outlines_core"), compile_)


class _Tokenizer:
    """The tokenizer's interface that llguidance expects."""

    is_tokenizer_wrapper = True
    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        self.eos_token_id = vocabulary.eos_id
        self.tokens = list(vocabulary.token_bytes)
        self.special_token_ids = sorted(vocabulary.special_ids)
        self._encode = encode

    def __call__(self, text: str) -> list[int]:
        return self._encode(text)


ENGINES: dict[str, tuple[Callable[[Vocabulary, Encode], MaskEngine], tuple[str, ...]]] = {
    "ours": (ours, ()),
    "xgrammar": (xgrammar, ("xgrammar", "torch")),
    "llguidance": (llguidance, ("llguidance",)),
    "outlines-core": (outlines_core, ("outlines_core",)),
}
"""By name, what makes each engine ready, ours first, and the modules that it needs."""


def installed(modules: Iterable[str]) -> bool:
    """Return whether all of the modules that an engine needs are there."""
    return all(map(find_spec, modules))


def absent(names: Iterable[str]) -> list[str]:
    """Return those of these engines that cannot take part, since a module is missing."""
    return [name for name in names if not installed(ENGINES[name][1])]


def import_packages(names: Iterable[str]) -> None:
    """Import what these engines need: it is no part of making them ready."""
    for module in (each for name in names for each in ENGINES[name][1]):
        import_module(module)
