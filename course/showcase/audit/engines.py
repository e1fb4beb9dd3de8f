"""The engines that are audited: those of the bench, two more, and vLLM's choice among them.

Each is called as users meet it, with its default arguments. vLLM calls xgrammar and llguidance with theirs, too: white
space as the model likes, and members that a schema doesn't mention as the engine likes. So what differs by default is
which engine it takes for which schema, which is its own column.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version

from course.showcase.bench.adapters import (
    ENGINES,
    Buffer,
    Encode,
    Language,
    MaskEngine,
    Start,
    Walk,
    installed,
    ours,
)
from labkit.vocabulary import Vocabulary


def lm_format_enforcer(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return lm-format-enforcer. Where nothing may come, it logs an error and allows EOS; that is named as trouble."""
    import lmformatenforcer as lmfe
    from lmformatenforcer.tokenenforcer import TokenEnforcerTokenizerData

    def decode(ids: Sequence[int]) -> str:
        return b"".join(vocabulary.token_bytes[each] for each in ids).decode("utf-8", "replace").rstrip("\ufffd")

    special = {*vocabulary.special_ids, vocabulary.eos_id}
    texts = [
        (token_id, token.decode("utf-8", "replace"), False)
        for token_id, token in enumerate(vocabulary.token_bytes)
        if token and token_id not in special
    ]
    tokens = TokenEnforcerTokenizerData(texts, decode, vocabulary.eos_id, True, len(vocabulary))

    def compile_(language: Language) -> Start:
        is_pattern = isinstance(language, str)
        parser = lmfe.RegexParser(language) if is_pattern else lmfe.JsonSchemaParser(language)
        enforcer = lmfe.TokenEnforcer(tokens, parser)

        def start(buffer: Buffer) -> Walk:
            written: list[int] = []

            def fill() -> None:
                buffer.words[0] = enforcer.get_allowed_tokens(written).allowed_tokens.numpy()

            def advance(token_id: int) -> bool:
                written.append(token_id)
                return True

            def trouble() -> str:
                state = enforcer.prefix_states[tuple(written)]
                only_eos = not (buffer.bits().sum() - 1) and bool(buffer.bits()[vocabulary.eos_id])
                return "no token may come, so it allows EOS" if only_eos and not state.parser.can_end() else ""

            return Walk(fill, advance, trouble)

        return start

    return MaskEngine("lm-format-enforcer", version("lm-format-enforcer"), compile_)


def vllm(vocabulary: Vocabulary, encode: Encode) -> MaskEngine:
    """Return what vLLM's backend "auto" does: xgrammar, for what it finds that xgrammar lacks llguidance, and so on."""
    from vllm.v1.structured_output.backend_guidance import has_guidance_unsupported_json_features
    from vllm.v1.structured_output.backend_xgrammar import has_xgrammar_unsupported_json_features
    from xgrammar import Grammar

    first, second, last = (ENGINES[name][0](vocabulary, encode) for name in ("xgrammar", "llguidance", "outlines-core"))

    def compile_(language: Language) -> Start:
        try:
            if isinstance(language, str):
                Grammar.from_regex(language)
            elif has_xgrammar_unsupported_json_features(language):
                raise ValueError("the schema has what vLLM keeps from xgrammar")
            else:
                Grammar.from_json_schema(json.dumps(language))
        except (ValueError, RuntimeError):
            lacks = not isinstance(language, str) and has_guidance_unsupported_json_features(language)
            return (last if lacks else second).compile(language)
        return first.compile(language)

    taken = ", ".join(f"{each.name} {each.version}" for each in (first, second, last))
    return MaskEngine("vllm, auto", f"{version_of_vllm()} with {taken}", compile_)


def version_of_vllm() -> str:
    """Return vLLM's version, whose distribution may be one for a kind of computer."""
    found: str = import_module("vllm.version").__version__
    return found


Maker = Callable[[Vocabulary, Encode], MaskEngine]

AUDITED: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "ours": (ours, ()),
    "ours, open": (partial(ours, reading="open"), ()),
    "ours, unordered": (partial(ours, reading="unordered"), ()),
    **{name: ENGINES[name] for name in ("llguidance", "xgrammar", "outlines-core")},
    "lm-format-enforcer": (lm_format_enforcer, ("lmformatenforcer", "torch")),
    "vllm, auto": (vllm, ("vllm", "xgrammar", "torch", "llguidance", "outlines_core")),
}
"""By name, what makes each engine ready, and the modules that it needs."""


def chosen(names: Sequence[str]) -> tuple[dict[str, Maker], list[str]]:
    """Return the makers of the engines that are installed, of those with these names or of all, and who is missing.

    >>> chosen(["ours", "mine"])
    Traceback (most recent call last):
    ValueError: --engine is one of ours; ours, open; ...; vllm, auto, not 'mine'
    """
    for name in names:
        if name not in AUDITED:
            raise ValueError(f"--engine is one of {'; '.join(AUDITED)}, not {name!r}")
    wanted = dict.fromkeys(names or AUDITED)
    missing = [name for name in wanted if not installed(AUDITED[name][1])]
    return {name: AUDITED[name][0] for name in wanted if name not in missing}, missing


def is_ours(engine: MaskEngine) -> bool:
    """Return whether an engine is this course's, which says no with a ``ValueError`` alone."""
    return engine.name.startswith("ours")


LEAKS = (LookupError, TypeError, AttributeError, RecursionError, AssertionError, NameError, ArithmeticError)
"""Errors that no engine says no with: something went wrong that it didn't foresee."""


def refuses(engine: MaskEngine, error: BaseException) -> bool:
    """Return whether an error is an engine's way of saying no, and no accident."""
    return isinstance(error, ValueError if is_ours(engine) else Exception) and not isinstance(error, LEAKS)
