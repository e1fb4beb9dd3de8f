"""The cases of lab 11 in ``python3 -m course bench``: what both modes of tool calls cost a token.

A guide through free text is walked along tokens that stay in it: once for one format's trigger, once for those of all
formats. Inside a call, a step of the processor stands beside a pass of 20 ms.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

import numpy as np

from labkit.bench import Case, Job, Setting
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import StructuredOutputState, mask_batch
from labs.lab_11_tool_calls.given.formats import FORMATS, Format
from labs.lab_11_tool_calls.given.guides import ToolGuide
from labs.lab_11_tool_calls.given.openings import openings_of
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import join, mask_rows, merge_openings
from mask_engine import guide_of

PASS_SECONDS = 0.02
"""How long a pass of the model takes that a step is compared with."""

TURNS = 7
TOKENS = 2_000
"""How many tokens are walked in one job."""

TOOLS = [
    Tool("get_weather", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
    Tool("get_time", {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}),
]

CALL = '<tool_call>{"name":"get_weather","arguments":{"city":"Rome,-capital-of-Italy"}}</tool_call>'


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield the cases over the vocabulary; none for a part of one."""
    if setting.vocabulary is None:
        return
    one = cache(partial(guide_for, setting.vocabulary, [FORMATS["hermes"]]))
    every = cache(partial(guide_for, setting.vocabulary, [*FORMATS.values()]))
    yield partial(_triggers, setting.vocabulary, one, every)
    yield partial(_free_rows, setting.vocabulary, one)
    yield partial(_inside, setting.vocabulary, one)


def guide_for(vocabulary: Vocabulary, rows: list[Format]) -> ToolGuide:
    """Return a guide through answers that may call the tools in any of some formats.

    >>> guide_for(Vocabulary.small(), [FORMATS["hermes"]]).n_free
    12
    """
    names = [tool.name for tool in TOOLS]
    joined = join(merge_openings([opening for row in rows for opening in openings_of(row, TOOLS, names)]))
    return ToolGuide(guide_of(vocabulary, joined.dfa), joined)


def _free_tokens(guide: ToolGuide, vocabulary: Vocabulary) -> list[int]:
    """Return tokens that never leave free text, drawn at random, then the same again."""
    state, found, whole = guide.initial, list[int](), 0
    for token_id in np.random.default_rng(0).integers(len(vocabulary), size=200).tolist():
        try:
            after = guide.advance(state, token_id)
        except TokenNotAllowed:
            continue
        if guide.is_free(after):
            state = after
            found.append(token_id)
            whole = len(found) if state == guide.initial else whole  # from here they can be repeated
    return (found[:whole] * (TOKENS // whole + 1))[:TOKENS]


def _walk(guide: ToolGuide, tokens: list[int]) -> Job:
    def walk() -> None:
        state = guide.initial
        for token_id in tokens:
            guide.mask(state)
            state = guide.advance(state, token_id)

    walk()  # every step is asked for once, which is not timed
    return walk


def _triggers(vocabulary: Vocabulary, one: Callable[[], ToolGuide], every: Callable[[], ToolGuide]) -> Case:
    tokens = _free_tokens(every(), vocabulary)
    return Case(
        f"mask and next state of {TOKENS:,} tokens of free text",
        "tool calls",
        (f"all {len(FORMATS)} formats", "one format"),
        slow=_walk(every(), tokens),
        fast=_walk(one(), tokens),
        times=TURNS,
        note=lambda times: (
            f"{times.slow / TOKENS * 1e6:.2f} µs a token for {len(FORMATS)} formats, "
            f"{times.fast / TOKENS * 1e6:.2f} for one"
        ),
        tokens=len(vocabulary),
    )


def _steps(guide: ToolGuide, vocabulary: Vocabulary, tokens: list[int], mask: Callable[..., None]) -> Job:
    """Return a job that masks logits and moves on, token by token."""
    logits = np.zeros((1, len(vocabulary)), np.float32)

    def walk() -> None:
        state = StructuredOutputState(guide)
        for token_id in tokens:
            mask([state], logits)
            state.advance(token_id)

    walk()
    return walk


def _free_rows(vocabulary: Vocabulary, one: Callable[[], ToolGuide]) -> Case:
    tokens = _free_tokens(one(), vocabulary)[:200]
    return Case(
        f"logits of {len(tokens)} tokens of free text",
        "tool calls",
        ("mask_batch", "mask_rows"),
        slow=_steps(one(), vocabulary, tokens, mask_batch),
        fast=_steps(one(), vocabulary, tokens, mask_rows),
        times=TURNS,
        note=lambda times: (
            f"{times.fast / len(tokens) * 1e6:.1f} µs a token, "
            f"{times.fast / len(tokens) / PASS_SECONDS:.3%} of a pass of {PASS_SECONDS * 1e3:.0f} ms"
        ),
        tokens=len(vocabulary),
    )


def _inside(vocabulary: Vocabulary, one: Callable[[], ToolGuide]) -> Case:
    byte_of = {token: token_id for token_id, token in enumerate(vocabulary.token_bytes)}
    tokens = [byte_of[char.encode()] for char in CALL]
    guide = one()
    return Case(
        f"logits of a call of {len(tokens)} tokens",
        "tool calls",
        ("a call", "as many tokens of free text"),
        slow=_steps(guide, vocabulary, tokens, mask_rows),
        fast=_steps(guide, vocabulary, _free_tokens(guide, vocabulary)[: len(tokens)], mask_rows),
        times=TURNS,
        note=lambda times: (
            f"{times.slow / len(tokens) * 1e6:.0f} µs a token of a call, "
            f"{times.slow / len(tokens) / PASS_SECONDS:.2%} of a pass of {PASS_SECONDS * 1e3:.0f} ms"
        ),
        tokens=len(vocabulary),
    )
