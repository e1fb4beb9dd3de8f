"""What lab 09 gives: one row under its mask, which guides a cache drops, and what a new request gets."""

import numpy as np
import pytest

from labkit.engine import Request, SamplingParams
from labkit.errors import QueueFull
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import example_guide
from labs.lab_09_inside_an_engine.given.serving import answers, engine_of
from labs.lab_09_inside_an_engine.given.workers import Worker, at_once
from labs.lab_09_inside_an_engine.solution import (
    CompileCache,
    StructuredOutputManager,
    StructuredOutputState,
    admit,
    apply_structured_output_mask,
    evict,
)

TOY = Vocabulary([b"1", b"x", b"1x", b"</s>"], eos_id=3)
SCHEMA = {"type": "array", "items": {}}


@pytest.mark.parametrize(
    ("state", "remaining", "legal"), [(0, None, [0, 2]), (1, None, [0, 1, 2, 3]), (1, 1, [3]), (2, 9, [3])]
)
def test_mask_disallows_tokens(state, remaining, legal):
    logits = np.float32([5, 9, 4, 0])
    masked = apply_structured_output_mask(logits, StructuredOutputState(example_guide(), state), remaining)
    assert np.flatnonzero(masked != -np.inf).tolist() == legal and logits.tolist() == [5, 9, 4, 0]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_mask_preserves_allowed(dtype):
    logits = np.array([np.nan, np.inf, -0.0, np.nan], dtype)
    masked = apply_structured_output_mask(logits, StructuredOutputState(example_guide()))
    assert masked.dtype == dtype and masked[[0, 2]].tobytes() == logits[[0, 2]].tobytes()
    assert masked[[1, 3]].tolist() == [-np.inf] * 2


def test_mask_empty_allowed_set():
    masked = apply_structured_output_mask(np.zeros(4, np.float32), StructuredOutputState(example_guide(), 3))
    assert masked.tolist() == [-np.inf] * 4


@pytest.mark.parametrize(
    ("size", "compiling", "left"), [(2, "", "cd"), (4, "", "abcd"), (9, "", "abcd"), (2, "a", "ad"), (1, "abd", "abd")]
)
def test_the_least_recently_used_go_but_no_compile_under_way(size, compiling, left):
    cache = CompileCache(at_once, max_guides=size)
    cache.entries.update({key: (Worker().submit if key in compiling else at_once)(list) for key in "abcd"})
    evict(cache)
    assert "".join(cache.keys()) == left


def manager_of(vocabulary=TOY, submit=at_once, **options):
    return StructuredOutputManager(vocabulary, lambda wanted: example_guide(), submit, **options)


def request_for(wanted, name="a"):
    asked = {"type": "regex", "pattern": wanted} if type(wanted) is str else wanted
    return Request(name, (1,), SamplingParams(), asked)


def test_equal_formats_share_a_compile():
    """In either shape. Another kind, another spelling or another order of properties is another format."""
    manager = manager_of()
    named = {"name": "n", "schema": SCHEMA}
    formats = [{"type": "json_schema", "schema": SCHEMA}, {"type": "json_schema", "json_schema": named}, "1", "1"]
    formats += [{"type": "choice", "choices": ["1"]}, {"type": "json_schema", "schema": {"items": {}, "type": "array"}}]
    for more in ({"strict": False}, {"order": "any"}, {"whitespace": "compact"}):
        formats.append({"type": "json_schema", "json_schema": named | more})
    for place, wanted in enumerate(formats):
        admit(manager, request_for(wanted, str(place)))
    assert (manager.cache.misses, manager.cache.hits) == (7, 2)


def test_another_vocabulary_is_another_key():
    keys = set()
    for eos_id in (2, 3):
        manager = manager_of(Vocabulary(TOY.token_bytes, eos_id=eos_id))
        admit(manager, request_for("1"))
        keys.add(manager.tickets["a"][0])
    assert len(keys) == 2


def test_what_is_refused_leaves_nothing():
    manager = manager_of(submit=Worker().submit, max_compiling=1)
    with pytest.raises(ValueError, match="response_format"):
        admit(manager, request_for({"type": "xml"}))
    assert not manager.tickets and not manager.cache.keys()
    admit(manager, request_for("1"))
    with pytest.raises(QueueFull):
        admit(manager, request_for("2", "b"))
    assert [*manager.tickets] == ["a"] and manager.cache.num_waiting() == 1


def test_no_response_format_zero_overhead():
    manager = manager_of()
    engine = engine_of(lambda ids: np.float32([0, 9, 5, 0]), TOY, manager)
    params = SamplingParams(max_tokens=3, temperature=0)
    free = [engine.add_request([0], params, response_format=wanted) for wanted in (None, {"type": "text"})]
    assert answers(engine, *free) == ["xxx", "xxx"]
    assert not manager.tickets and (manager.processor.num_masked, manager.cache.misses) == (0, 0)
    assert [(request.response_format, request.structured_output_state) for request in free] == [(None, None)] * 2
