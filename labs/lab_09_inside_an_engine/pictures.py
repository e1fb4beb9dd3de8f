"""The pictures of lab 09's README: each public function draws the one of its name."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.engine import Engine, Request, SamplingParams
from labkit.pictures import Lane, Moment, Svg, mask_svg, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.serving import engine_of
from labs.lab_09_inside_an_engine.given.workers import Worker
from labs.lab_09_inside_an_engine.solution import StructuredOutputState, mask_batch
from mask_engine import compile_guide, structured_outputs

_TOKENS = Vocabulary([b"0", b"1", b"x", b"0x", b"a", b"f", b"hi", b" ", b"</s>"], eos_id=8)


def batch() -> Svg:
    """Draw what is left of a batch of four rows: two of one guide, one without a constraint, one of another guide."""
    toy = Vocabulary([b"1", b"x", b"1x", b"</s>"], eos_id=3)
    digits, letters = (compile_guide(toy, regex=pattern) for pattern in ("[0-9]+x?", "x+"))
    rows = {
        "row 0, [0-9]+x? after 1x": StructuredOutputState(digits, digits.advance(digits.initial, 2)),
        "row 1, no constraint": None,
        "row 2, [0-9]+x? at its start": StructuredOutputState(digits),
        "row 3, x+ after x": StructuredOutputState(letters, letters.advance(letters.initial, 1)),
    }
    logits = np.zeros((len(rows), len(toy)), np.float32)
    mask_batch([*rows.values()], logits)
    kept = (logits == 0).tolist()
    return mask_svg(kept, ["1", "x", "1x", "EOS"], names=[*rows], strong=3, title="One batch, two guides, three states")


def timeline() -> Svg:
    """Draw four requests in one engine: two that decode, and two that wait for one compile."""

    def model(ids: Sequence[int]) -> NDArray[np.float32]:
        """Return logits without plans, the same for the same ids."""
        logits = np.random.default_rng([len(ids), *ids]).standard_normal(len(_TOKENS), dtype=np.float32)
        logits[_TOKENS.eos_id] = -9  # it never stops by itself
        return logits

    worker = Worker()
    engine = engine_of(model, _TOKENS, structured_outputs(_TOKENS, submit=worker.submit))
    known, new = ({"type": "regex", "pattern": pattern} for pattern in ("[01]+", "0x[01af]+"))
    engine.add_request([6], SamplingParams(), response_format=known, request_id="warm-up")
    worker.work()
    engine.abort("warm-up")
    lanes = [("no constraint", 0, None, 9), ("[01]+, compiled before", 0, known, 8)]
    lanes += [("0x[01af]+, new", 1, new, 6), ("0x[01af]+, one step later", 2, new, 5)]
    arrivals = {name: (step, form, most) for name, step, form, most in lanes}
    return timeline_svg(
        _run(engine, worker, arrivals, begins=1, ends=5), title="One column for each step of the engine"
    )


def _run(
    engine: Engine,
    worker: Worker,
    arrivals: dict[str, tuple[int, dict[str, str] | None, int]],
    *,
    begins: int,
    ends: int,
    steps: int = 10,
) -> list[Lane]:
    """Return the lanes of a run in which the worker is busy from one step until another.

    Args:
        arrivals: for each request the step in which it comes, its response_format, and its max_tokens.
    """
    moments: dict[str, list[Moment]] = {name: [] for name in arrivals}
    requests: dict[str, Request] = {}
    texts = engine.vocabulary.texts()
    for step in range(steps):
        for name, (first, form, most) in arrivals.items():
            if first == step:
                params = SamplingParams(max_tokens=most, temperature=0)
                requests[name] = engine.add_request([6], params, response_format=form, request_id=name)
        if step == begins:
            worker.begin()
        if step == ends:
            worker.work()
        tokens = {output.request_id: output.token_id for output in engine.step()}
        for name, (first, _, _) in arrivals.items():
            lane = moments[name]
            if name in tokens:
                lane.append(Moment(texts[tokens[name] or 0] or "EOS", strong=bool(lane) and lane[-1].waits))
            elif step < first:
                lane.append(Moment(""))
            elif name in engine.requests:
                lane.append(Moment("waits", waits=True))
    return [Lane(name, moments[name], str(requests[name].finish_reason)) for name in arrivals]
