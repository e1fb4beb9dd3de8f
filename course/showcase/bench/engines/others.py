"""Today's engines behind the bench's interface. None is imported before it is asked for."""

from importlib.metadata import version
from typing import Any, ClassVar, Protocol

from course.showcase.bench.engines.engine import Buffer, Engine
from course.showcase.bench.engines.walks import Encode
from labkit.vocabulary import Vocabulary


class Other(Engine, Protocol):
    """An engine of other people, and the modules that it needs."""

    modules: ClassVar[tuple[str, ...]]

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None: ...


class Xgrammar:
    """xgrammar with one thread and without its cache of compiled grammars."""

    name = "xgrammar"
    modules: ClassVar[tuple[str, ...]] = ("xgrammar", "torch")

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import xgrammar

        self._xgrammar, self.version = xgrammar, version("xgrammar")
        # It knows a special token by its empty text, and EOS by being told so.
        tokens = [b"" if i in vocabulary.special_ids else token for i, token in enumerate(vocabulary.token_bytes)]
        info = xgrammar.TokenizerInfo(tokens, vocab_size=len(tokens), stop_token_ids=[vocabulary.eos_id])
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def compile(self, regex: str) -> "_XgrammarCompiled":
        """The compiled grammar; the masks that it can prepare are part of it."""
        return _XgrammarCompiled(self._compiler.compile_regex(regex), self._xgrammar.GrammarMatcher)


class _XgrammarCompiled:
    def __init__(self, grammar: Any, matcher: Any) -> None:
        self._grammar, self._matcher = grammar, matcher

    def start(self, buffer: Buffer) -> "_XgrammarWalk":
        return _XgrammarWalk(self._matcher(self._grammar), buffer)

    def complete(self) -> bool:
        return False


class _XgrammarWalk:
    def __init__(self, matcher: Any, buffer: Buffer) -> None:
        import torch

        # Its own kind of array, on the same memory: a NumPy array would cost it 0.3 microseconds more.
        self._words = torch.from_numpy(buffer.words)
        self._fill, self._accept = matcher.fill_next_token_bitmask, matcher.accept_token

    def fill(self) -> None:
        self._fill(self._words)

    def advance(self, token_id: int) -> bool:
        return bool(self._accept(token_id))


class Llguidance:
    """llguidance with its general slices and the vocabulary's own tokenizer, as its bindings for models set it up."""

    name = "llguidance"
    modules: ClassVar[tuple[str, ...]] = ("llguidance",)

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import llguidance

        self._matcher, self.version = llguidance.LLMatcher, version("llguidance")
        self._tokenizer = llguidance.LLTokenizer(_Tokens(vocabulary, encode))

    def compile(self, regex: str) -> "_LlguidanceCompiled":
        """A matcher, which computes what it needs as it goes and keeps it."""
        matcher = self._matcher(self._tokenizer, self._matcher.grammar_from_regex(regex))
        if matcher.is_error():
            raise ValueError(f"llguidance refuses {regex!r}: {matcher.get_error()}")
        return _LlguidanceCompiled(matcher)


class _Tokens:
    """What llguidance asks of a tokenizer."""

    is_tokenizer_wrapper = True
    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        self.eos_token_id = vocabulary.eos_id
        self.tokens = list(vocabulary.token_bytes)
        self.special_token_ids = sorted(vocabulary.special_ids)
        self._encode = encode

    def __call__(self, text: str) -> list[int]:
        return self._encode(text)


class _LlguidanceCompiled:
    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    def start(self, buffer: Buffer) -> "_LlguidanceWalk":
        self._matcher.reset()
        return _LlguidanceWalk(self._matcher, buffer)

    def complete(self) -> bool:
        return False


class _LlguidanceWalk:
    def __init__(self, matcher: Any, buffer: Buffer) -> None:
        self._matcher = matcher
        self._fill, self._place = matcher.unsafe_compute_mask_ptr, (buffer.address, buffer.words.nbytes)

    def fill(self) -> None:
        self._fill(*self._place)

    def advance(self, token_id: int) -> bool:
        # A refused token would put the matcher into an error state for good, so it is asked first.
        return self._matcher.validate_tokens([token_id]) == 1 and bool(self._matcher.consume_token(token_id))


class OutlinesCore:
    """outlines-core: an index of all states at once, then rows from it."""

    name = "outlines-core"
    modules: ClassVar[tuple[str, ...]] = ("outlines_core",)

    def __init__(self, vocabulary: Vocabulary, encode: Encode) -> None:
        import outlines_core

        self._outlines, self.version = outlines_core, version("outlines-core")
        ids: dict[bytes, list[int]] = {}
        for i, token in enumerate(vocabulary.token_bytes):
            if i not in vocabulary.special_ids:
                ids.setdefault(token, []).append(i)
        self._vocabulary = outlines_core.Vocabulary(vocabulary.eos_id, ids)

    def compile(self, regex: str) -> "_OutlinesCompiled":
        """The index, which holds the masks of all states."""
        return _OutlinesCompiled(self._outlines.Index(regex, self._vocabulary), self._outlines.Guide)


class _OutlinesCompiled:
    def __init__(self, index: Any, guide: Any) -> None:
        self._index, self._guide = index, guide

    def start(self, buffer: Buffer) -> "_OutlinesWalk":
        return _OutlinesWalk(self._guide(self._index), buffer)

    def complete(self) -> bool:
        return True


class _OutlinesWalk:
    def __init__(self, guide: Any, buffer: Buffer) -> None:
        self._guide = guide
        self._fill, self._place = guide.write_mask_into, (buffer.address, buffer.words.size, 4)

    def fill(self) -> None:
        self._fill(*self._place)

    def advance(self, token_id: int) -> bool:
        if not self._guide.accepts_tokens([token_id]):
            return False
        self._guide.advance(token_id, False)
        return True


OTHERS: tuple[type[Other], ...] = (Xgrammar, Llguidance, OutlinesCore)
