"""The pictures of lab 10's README: each public function draws the one of its name."""

import numpy as np

from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.pictures import Lane, Moment, Svg, in_turn, line_chart, timeline_svg
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward.given.steps import expected_speedup
from labs.lab_10_jump_forward.measuring import committed
from mask_engine import structured_outputs

_WORDS = ("{", '"', " ", ":", ",", "}", '{"', "na", "name", '":', '",', "Ada", "Eva", "me", "age", "1", "2", "</s>")
_TOKENS = Vocabulary([word.encode() for word in _WORDS], eos_id=len(_WORDS) - 1)
_PATTERN = r'\{"name": "(Ada|Eva)", "age": [12]\}'


def jump() -> Svg:
    """Draw one answer by plain masking, and with jumps: a box for each token, yellow if the model chose it."""
    lanes: list[Lane] = []
    turns: list[tuple[int, int, int]] = []
    lengths = np.array([len(token) for token in _TOKENS.token_bytes], np.float32)
    model = ScriptedModel(lambda ids: -lengths, len(_TOKENS))  # it prefers short pieces, wherever it is
    for name, policy in (("a mask at every token", None), ("with jumps", "longest")):
        engine = Engine(model, _TOKENS, structured_outputs(_TOKENS, jump=policy))
        params = SamplingParams(max_tokens=40, temperature=0, logprobs=0)
        engine.add_request([9], params, response_format={"type": "regex", "pattern": _PATTERN})
        moments: list[Moment] = []
        while engine.requests:
            for output in engine.step():
                # in the moving picture every pass takes as long, so the lane with fewer is done first
                turns.append((len(lanes) + 1, len(moments) + 1, engine.num_steps))
                text = _TOKENS.token_bytes[output.token_id or 0].decode().replace(" ", "␣")
                moments.append(Moment(text, strong=output.logprob is not None))
        lanes.append(Lane(name, moments, f"{engine.num_steps} passes"))
    drawn = timeline_svg(lanes, title="Tokens that the model chose, and tokens that were forced")
    beat = 4.0 / max(passes for _, _, passes in turns)
    return in_turn(
        drawn,
        [(f".lane:nth-of-type({lane}) .moment:nth-of-type({place})", round(beat * n, 2)) for lane, place, n in turns],
    )


def speedup() -> Svg:
    """Draw how many times faster each grammar was, beside the formula for expensive and for cheap tokens."""
    shares = [0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97]
    series = {
        f"formula, c = {cost}": [(share, expected_speedup(share, cost)) for share in shares] for cost in (0.1, 0.5)
    }
    for policy in ("longest", "whole"):
        series[policy] = sorted((each.forced, each.ratio) for each in committed() if each.policy == policy)
    return line_chart(
        series,
        title="The same tokens, with and without jumps",
        x_label="share of tokens that were forced",
        y_label="times faster",
        log_y=True,
    )
