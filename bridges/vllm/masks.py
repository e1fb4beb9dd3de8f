"""What a request to vLLM asks for, and lab 09's manager, which answers for it."""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import count
from threading import Lock
from typing import Any

from bridges.first_labs import Lifted, Naive
from labkit.automata.work import at_most
from labkit.engine import Request, SamplingParams
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager, read_response_format
from mask_engine import structured_outputs, texts_of_format, tool_outputs

MOST_WORK = 450_000
"""Units of work that a step may ask of a guide, half a second at most. The course's own server asks 25 times for a 25th
of it, and lets others go on in between; vLLM can't put a request off."""

MOST_COMPILING = 1_000_000
"""Units of work to read what a request asks for."""

MANY = 100_000
"""Tokens: a budget into which any answer fits that can be given at all."""

FIRST_LABS = {"lab_01": Naive, "lab_04": Lifted}
"""Patterns by the first labs, beside the types of lab 09's ``response_format`` and lab 11's ``"tools"``."""

TOOLS = {"type", "format", "tools", "tool_choice", "parallel_tool_calls", "response_format", "thinking"}
"""What a request for tools may hold."""


def asked_for(extra_args: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what a request's ``mask`` asks for, or None.

    Args:
        extra_args: of vLLM's ``SamplingParams``; over HTTP it's ``vllm_xargs``, whose values are texts.

    Raises:
        ValueError: if ``mask`` is neither an object nor the JSON text of one.

    >>> asked_for({"mask": '{"type": "regex", "pattern": "[0-9]+"}'})
    {'type': 'regex', 'pattern': '[0-9]+'}
    """
    asked = (extra_args or {}).get("mask")
    if isinstance(asked, str):
        try:
            asked = json.loads(asked)
        except ValueError as error:
            raise ValueError(f"mask: this is no JSON text ({error})") from None
    if asked is not None and not isinstance(asked, dict):
        raise ValueError(f'mask: an object such as {{"type": "regex", "pattern": "[0-9]+"}}, not {asked!r:.80}')
    return asked


def kind_of(asked: Mapping[str, Any]) -> str:
    """Return whose manager answers: a format of calls, a first lab, or, as "", that of all response formats.

    >>> [kind_of({"type": name}) for name in ("tools", "lab_04", "regex")]
    ['hermes', 'lab_04', '']
    """
    kind = asked.get("type")
    if kind == "tools":
        return str(asked.get("format", "hermes"))
    return str(kind) if kind in (*FIRST_LABS,) else ""  # it may be unhashable: lab 09 refuses that


def check(asked: Mapping[str, Any]) -> None:
    """Compile what a request asks for, as far as that needs no vocabulary, so that it's refused when it comes in.

    Raises:
        ValueError: whatever lab 09, lab 11 or the compilers say against it.

    >>> check({"type": "regex", "pattern": 7})
    Traceback (most recent call last):
    ValueError: response_format: pattern is a int
    """
    if kind_of(asked):
        _over_bytes().begin(asked, MANY)
    elif (wanted := read_response_format(asked)) is not None:
        _compiled(wanted)


@cache
def _over_bytes() -> "Masks":
    """Return guides over single bytes: what compiles there does so over any vocabulary."""
    return Masks(Vocabulary([*(bytes([byte]) for byte in range(256)), b"</s>"], eos_id=256))


@lru_cache(32)
def _compiled(wanted: Any) -> Any:
    with at_most(MOST_COMPILING, "what the request asks for"):
        return texts_of_format(wanted)


def _manager(asked: Mapping[str, Any], vocabulary: Vocabulary, **options: Any) -> StructuredOutputManager:
    """Return a manager for requests of this kind."""
    kind = kind_of(asked)
    if kind in FIRST_LABS:
        first = FIRST_LABS[kind]
        options.pop("call", None)
        return StructuredOutputManager(vocabulary, lambda wanted: first(wanted.value, vocabulary), **options)
    if kind:
        return tool_outputs(vocabulary, kind, **options)
    return structured_outputs(vocabulary, **options)


def _request(asked: Mapping[str, Any], max_tokens: int, name: str = "") -> Request:
    if asked.get("type") == "tools" and (unknown := asked.keys() - TOOLS):
        raise ValueError(f"mask: a request for tools has no {', '.join(sorted(unknown))}, only {sorted(TOOLS)}")
    response_format = {key: value for key, value in asked.items() if key != "format"}
    if kind_of(asked) in FIRST_LABS:
        response_format["type"] = "regex"
    return Request(name, (0,), SamplingParams(max_tokens=max_tokens), response_format)


class Masks:
    """The guides of one process of vLLM, found by what was asked for: lab 09's managers, one for each format of calls.

    vLLM compiles in threads, and lab 09 has only one. So a call of a manager, or of a guide, needs ``lock``.

    >>> masks = Masks(Vocabulary.toy())  # a . .2 1, and EOS
    >>> manager, request = masks.begin({"type": "regex", "pattern": "1+"}, 9)
    >>> request.structured_output_state.allowed_tokens()
    {3}
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary, self.lock = vocabulary, Lock()
        self._managers: dict[str, StructuredOutputManager] = {}
        self._numbers = count()

    def begin(self, asked: Mapping[str, Any], max_tokens: int) -> tuple[StructuredOutputManager, Request]:
        """Return a request at its start, and the manager that answers for it.

        Raises:
            ValueError: if what it asks for can't be compiled, or no answer fits into its tokens.
        """
        options = {"call": self._without_the_lock, "most_work": MOST_WORK}
        request = _request(asked, max_tokens, str(next(self._numbers)))
        kind = kind_of(asked)
        with self.lock:
            manager = self._managers.get(kind) or _manager(asked, self.vocabulary, **options)
            self._managers[kind] = manager
            manager.add(request)
            try:
                manager.ready(request)
            except Exception:
                manager.release(request)
                raise
        return manager, request

    def _without_the_lock(self, function: Any, *arguments: Any) -> Any:
        """Compile: others need their masks meanwhile."""
        self.lock.release()
        try:
            if function is texts_of_format:
                return _compiled(*arguments)
            with at_most(MOST_COMPILING, "what the request asks for"):
                return function(*arguments)
        finally:
            self.lock.acquire()
