"""The pictures of lab 10's README: each public function draws the one of its name."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.pictures import Lane, Moment, Svg, line_chart, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.assembled import structured_outputs
from labs.lab_10_jump_forward.given.measuring import committed
from labs.lab_10_jump_forward.solution import expected_speedup

_TOKENS = Vocabulary(
    [b"{", b'{"', b'"', b"n", b"na", b"name", b'": ', b":", b" ", b"A", b"da", b'"}', b"}", b"me", b"</s>"], eos_id=14
)
_PATTERN = r'\{"name": "(Ada|Al)"\}'


def _model(ids: Sequence[int]) -> NDArray[np.float32]:
    """Return logits of a model that prefers short pieces, the same wherever it is."""
    return -np.array([len(token) for token in _TOKENS.token_bytes], np.float32)


def jump() -> Svg:
    """Draw one answer by plain masking, and with jumps: a box for each token, strong where the model chose it."""
    lanes = []
    for name, policy in (("a mask at every token", None), ("with jumps", "longest")):
        engine = Engine(ScriptedModel(_model, len(_TOKENS)), _TOKENS, structured_outputs(_TOKENS, jump=policy))
        params = SamplingParams(max_tokens=24, temperature=0, logprobs=0)
        engine.add_request([9], params, response_format={"type": "regex", "pattern": _PATTERN})
        moments = []
        while engine.requests:
            for output in engine.step():
                text = _TOKENS.token_bytes[output.token_id or 0].decode()
                moments.append(Moment(text, strong=output.logprob is not None))
        lanes.append(Lane(name, moments, f"{engine.num_steps} passes"))
    return timeline_svg(lanes, title="Tokens that the model chose, and tokens that were forced")


def speedup() -> Svg:
    """Draw how many times faster each grammar was, and the formula."""
    points = [each for each in committed() if each.policy != "single"]
    cost = float(np.median([each.cost_ratio for each in points if each.forced > 0.1]))
    curve = [(share / 50, expected_speedup(share / 50, cost)) for share in range(49)]
    series = {f"formula, c = {cost:.2f}": curve}
    for policy in ("longest", "whole"):
        series[policy] = sorted((each.forced, each.ratio) for each in points if each.policy == policy)
    return line_chart(
        series,
        title="The same tokens, with and without jumps",
        x_label="share of tokens that were forced",
        y_label="times faster",
        log_y=True,
    )
