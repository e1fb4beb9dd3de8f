"""Lab 11 in ``python3 -m course bench``: masked logits and steps, by lab 09's ``mask_batch`` and by ``mask_rows``."""

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from labkit.bench import BenchTable, Job
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import StructuredOutputState, mask_batch
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.guides import ToolGuide
from labs.lab_11_tool_calls.given.openings import openings_of
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import join, mask_rows, merge_openings
from mask_engine import guide_of

TOOL = Tool("get_weather", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})
CALL = '<tool_call>{"name":"get_weather","arguments":{"city":"Rome,-capital-of-Italy"}}</tool_call>'


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for free text in which any of the formats may call, and for a call; each token once a job."""
    call = [vocabulary.token_bytes.index(char.encode()) for char in CALL]
    openings = [opening for row in FORMATS.values() for opening in openings_of(row, [TOOL], [TOOL.name])]
    joined = join(merge_openings(openings))
    made = cache(lambda: ToolGuide(guide_of(vocabulary, joined.dfa), joined))

    def walks(tokens: Callable[[ToolGuide], list[int]]) -> Sequence[Job]:
        guide, logits = made(), np.zeros((1, len(vocabulary)), np.float32)
        ids = tokens(guide)

        def walk(mask: Callable[..., None]) -> None:
            state = StructuredOutputState(guide)
            for token_id in ids:
                mask([state], logits)
                state.advance(token_id)

        walk(mask_rows)  # every mask is made once, which is not timed
        return partial(walk, mask_batch), partial(walk, mask_rows)

    free = partial(free_tokens, len(vocabulary), len(call))
    rows = {"free text": partial(walks, free), "a call": partial(walks, lambda guide: call)}
    return BenchTable(f"the logits of {len(call)} tokens", ("mask_batch", "mask_rows"), rows)


def free_tokens(size: int, length: int, guide: ToolGuide) -> list[int]:
    """Return tokens drawn at random that never leave free text."""
    state, found, draw = guide.initial, list[int](), np.random.default_rng(0)
    while len(found) < length:
        try:
            after = guide.advance(state, token_id := int(draw.integers(size)))
        except TokenNotAllowed:
            continue
        if guide.is_free(after):
            state = after
            found.append(token_id)
    return found
