"""Which engines are installed, and making them ready for a vocabulary."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec

from course.showcase.bench.engines.engine import Engine
from course.showcase.bench.engines.others import OTHERS, Other
from course.showcase.bench.engines.ours import Ours
from course.showcase.bench.engines.walks import Encode
from labkit.vocabulary import Vocabulary, data_file


def absent() -> list[str]:
    """The engines that cannot take part, since a module is missing."""
    return [engine.name for engine in OTHERS if not _installed(engine)]


def make_ready(vocabulary: Vocabulary, encode: Encode) -> Iterator[Callable[[], Engine]]:
    """Jobs that each make one engine ready: ours first, then those that are installed."""
    yield partial(Ours, vocabulary)
    for engine in OTHERS:
        if _installed(engine):
            yield partial(engine, vocabulary, encode)


def tekken_encode() -> Encode:
    """The tokenizer that goes with ``Vocabulary.tekken()``: mistral-common's own, which takes a second to import."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(data_file("tekken_240911.json", "the Tekken vocabulary")))
    return lambda text: list(tokenizer.encode(text, bos=False, eos=False))


def _installed(engine: type[Other]) -> bool:
    return all(find_spec(module) for module in engine.modules)
