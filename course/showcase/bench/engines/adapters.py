"""The course's engine and today's behind one interface; other projects' packages are imported when they are used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.vocabulary import Vocabulary
from labs.assembled import Guide, index_of
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM

Encode = Callable[[str], list[int]]
"""A vocabulary's tokenizer."""

# The interface ------------------------------------------------------------------------------------------


class Buffer:
    """One bitmask, ``int32[1, ceil(V / 32)]``, with its address for the engines that write through a pointer.

    The address is asked for once: NumPy takes longer to give it than some engines to fill the bitmask.
    """

    def __init__(self, vocab_size: int) -> None:
        self.words = np.zeros((1, -(-vocab_size // 32)), np.int32)
        self.address = int(self.words.ctypes.data)
        self.vocab_size = vocab_size

    def bits(self) -> NDArray[np.bool_]:
        """Return the mask as ``bool[V]``.

        >>> buffer = Buffer(40)
        >>> buffer.words[0, 1] = 0b100
        >>> buffer.bits().nonzero()[0].tolist()
        [34]
        """
        octets = self.words.astype("<i4").view(np.uint8)[0]
        return np.unpackbits(octets, bitorder="little", count=self.vocab_size).astype(bool)


@dataclass(frozen=True)
class Walk:
    """One request on a compiled pattern.

    Attributes:
        fill: writes the mask of the tokens that may come next into the walk's buffer.
        advance: takes a token id; returns False where the engine refuses the token, and the walk is over.
    """

    fill: Callable[[], object]
    advance: Callable[[int], bool]


@dataclass(frozen=True)
class Compiled:
    """A compiled pattern.

    Attributes:
        start: starts a request, whose masks go to the buffer. Only the newest request is used.
        complete: computes the masks of all states; returns False where the engine cannot.
    """

    start: Callable[[Buffer], Walk]
    complete: Callable[[], bool] = lambda: False


class Engine(Protocol):
    """A mask engine, made ready for one vocabulary."""

    name: str
    version: str

    def compile(self, regex: str) -> Compiled:
        """Compile a pattern anew, without any cache; raise ValueError where the engine refuses it."""


# The engines ----------------------------------------------------------------------------------------------


class Ours:
    """The guides of ``labs.assembled`` on one vocabulary, whose masks are computed when they are first asked for.

    They are put together here as ``compile_guide`` does it, so that their automaton can be asked for all its states.
    """

    name, version = "ours", "labs.assembled"

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary, self._index = vocabulary, index_of(vocabulary)

    def compile(self, regex: str) -> Compiled:
        """Compile a pattern to a guide."""
        fsm = TokenFSM(compile_dfa(regex), self._index, tuned=True)
        guide = Guide(fsm, len(self._vocabulary), self._vocabulary.eos_id)

        def start(buffer: Buffer) -> Walk:
            state = guide.initial

            def advance(token_id: int) -> bool:
                nonlocal state
                state = guide.advance(state, token_id)
                return True

            return Walk(lambda: guide.fill((state,), buffer.words), advance)

        def complete() -> bool:
            for state in fsm.states().tolist():
                guide.mask(state)
            return True

        return Compiled(start, complete)


class Xgrammar:
    """xgrammar with one thread and without its cache of compiled grammars."""

    name = "xgrammar"

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import xgrammar

        self._matcher, self.version = xgrammar.GrammarMatcher, version("xgrammar")
        # A special token is recognised by its empty text; EOS has to be named.
        tokens = [b"" if i in vocabulary.special_ids else token for i, token in enumerate(vocabulary.token_bytes)]
        info = xgrammar.TokenizerInfo(tokens, vocab_size=len(tokens), stop_token_ids=[vocabulary.eos_id])
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def compile(self, regex: str) -> Compiled:
        """Compile a grammar; the masks that it can prepare are part of it."""
        import torch

        grammar = self._compiler.compile_regex(regex)

        def start(buffer: Buffer) -> Walk:
            matcher = self._matcher(grammar)
            # PyTorch's view of the same memory: a NumPy array would take 0.3 microseconds more.
            words = torch.from_numpy(buffer.words)
            return Walk(partial(matcher.fill_next_token_bitmask, words), matcher.accept_token)

        return Compiled(start)


class Llguidance:
    """llguidance with its general slices and the vocabulary's own tokenizer, as its bindings for models set it up."""

    name = "llguidance"

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import llguidance

        self._matcher, self.version = llguidance.LLMatcher, version("llguidance")
        self._tokenizer = llguidance.LLTokenizer(_Tokens(vocabulary, encode))

    def compile(self, regex: str) -> Compiled:
        """Make a matcher, which computes what it needs as it goes and keeps it."""
        matcher = self._matcher(self._tokenizer, self._matcher.grammar_from_regex(regex))
        if matcher.is_error():
            raise ValueError(f"llguidance refuses {regex!r}: {matcher.get_error()}")

        def start(buffer: Buffer) -> Walk:
            matcher.reset()
            return Walk(partial(matcher.unsafe_compute_mask_ptr, buffer.address, buffer.words.nbytes), advance)

        def advance(token_id: int) -> bool:
            # A refused token would put the matcher into an error state for good, so it is asked first.
            return matcher.validate_tokens([token_id]) == 1 and bool(matcher.consume_token(token_id))

        return Compiled(start)


class _Tokens:
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


class OutlinesCore:
    """outlines-core: an index of all states at once, then masks from it."""

    name = "outlines-core"

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import outlines_core

        self._outlines, self.version = outlines_core, version("outlines-core")
        ids: dict[bytes, list[int]] = {}
        for i, token in enumerate(vocabulary.token_bytes):
            if i not in vocabulary.special_ids:
                ids.setdefault(token, []).append(i)
        self._vocabulary = outlines_core.Vocabulary(vocabulary.eos_id, ids)

    def compile(self, regex: str) -> Compiled:
        """Compile the index, which holds the masks of all states."""
        index = self._outlines.Index(regex, self._vocabulary)

        def start(buffer: Buffer) -> Walk:
            guide = self._outlines.Guide(index)

            def advance(token_id: int) -> bool:
                if not guide.accepts_tokens([token_id]):
                    return False
                guide.advance(token_id, False)
                return True

            return Walk(partial(guide.write_mask_into, buffer.address, buffer.words.size, 4), advance)

        return Compiled(start, lambda: True)


OTHERS: dict[type[Xgrammar] | type[Llguidance] | type[OutlinesCore], tuple[str, ...]] = {
    Xgrammar: ("xgrammar", "torch"),
    Llguidance: ("llguidance",),
    OutlinesCore: ("outlines_core",),
}
"""The engines of other projects, with the modules that they need."""


def absent() -> list[str]:
    """Return the engines that cannot take part, since a module is missing."""
    return [engine.name for engine, modules in OTHERS.items() if not all(map(find_spec, modules))]


def make_ready(vocabulary: Vocabulary, encode: Encode) -> Iterator[Callable[[], Engine]]:
    """Yield jobs that each make one engine ready: ours first, then those that are installed."""
    yield partial(Ours, vocabulary)
    yield from (partial(engine, vocabulary, encode) for engine in OTHERS if engine.name not in absent())
