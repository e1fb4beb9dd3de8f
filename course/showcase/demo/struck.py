"""The README's picture: a model about to write, what a mask strikes out, and the text that is left to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from labkit.pictures._svg import Svg, hatch, picture, tag, visible
from labkit.pictures.motion import LONGEST
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from mask_engine import FINISHED, Guide, compile_guide

FILE = Path(__file__).with_name("struck.svg")
PROMPT, PATTERN = "Please tell me the hex code of violet. Thanks!", "#[0-9a-f]{6}"
SHOWN = 6
"""How many candidates a step shows."""

WAIT = 1.0
"""Seconds before anything moves."""

_STRIKES, _GROWS, _FIRST, _NEXT, _EACH, _LAST = 0.5, 1.4, 1.9, 2.2, 0.45, 4.9
"""Seconds after that: strikes begin, what is left grows, the first token, the next step, a step's time, rest."""

_WIDTH, _HEIGHT, _LEFT, _BAR, _TOP, _ROW, _CHAR = 620.0, 352.0, 98.0, 370.0, 178.0, 29.0, 13.3


@dataclass(frozen=True)
class Candidate:
    """A token that may come next: its text, its chance without a mask, and its chance with it (0: struck out)."""

    text: str
    free: float
    masked: float


@dataclass(frozen=True)
class Step:
    """The likeliest candidates for one place of the text, and the token that the model then writes there."""

    candidates: Sequence[Candidate]
    chosen: str


def free_answer() -> str:
    """Return what the model writes without a mask, always its favourite token, on one line."""
    return " ".join("".join(step.chosen for step in _steps(None)).split())


def steps() -> list[Step]:
    """Return what happens under the mask, token by token; the last step ends the text."""
    return [*_steps(compile_guide(Tokenizer.load().vocabulary, regex=PATTERN))]


def _steps(guide: Guide | None) -> Iterator[Step]:
    model, tokenizer = SmallModel.load(), Tokenizer.load()
    state, cache, new = guide.initial if guide else 0, model.new_cache(), tokenizer.prompt(PROMPT)
    while new != [tokenizer.eos_id]:
        logits = model.forward([new], cache)[0]
        words = guide.mask(state) if guide else np.full(len(logits) // 32, -1, np.int32)
        masked = np.where(np.unpackbits(words.view(np.uint8), bitorder="little"), logits, -np.inf)
        new = [int(masked.argmax())]
        state = guide.advance(state, new[0]) if guide else 0
        free, kept = _softmax(logits), _softmax(masked)
        likeliest = np.argsort(-free, kind="stable")[:SHOWN].tolist()
        shown = [Candidate(_named(tokenizer, i), float(free[i]), float(kept[i])) for i in likeliest]
        yield Step(shown, tokenizer.decode([i for i in new if i != tokenizer.eos_id]))
    assert guide is None or state == FINISHED


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    powers = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(powers / powers.sum())


def _named(tokenizer: Tokenizer, token_id: int) -> str:
    return "(end)" if token_id == tokenizer.eos_id else tokenizer.decode([token_id]) or "(none)"


def drawn() -> Svg:
    """Draw the picture: at rest the first step, its struck candidates struck, and the whole text.

    Where motion is welcome, the strikes come one by one, then the text grows, and all of it rests within ``LONGEST``.
    """
    found = steps()
    text = "".join(step.chosen for step in found)
    struck = [each for each in found[0].candidates if not each.masked]
    head = [_line(38, "asked", PROMPT), _line(70, "no mask", _cut(free_answer())), _line(108, "with mask", "")]
    head.append(_text(_LEFT, 152, "the likeliest next tokens, and their chances", "muted", 13))
    tokens = [_token(found, place) for place in range(len(found) - 1)]
    swatch = {"x": _LEFT + _CHAR * len(text) + 16, "y": 91.0, "width": 36.0, "height": 22.0, "rx": 4.0}
    tokens.append(tag("rect", class_=f"t{len(found) - 1}", fill=text, **swatch))
    bars = [_bars(step, number) for number, step in enumerate(found)]
    gone = ", ".join(f"{each.text} ({_percent(each.free)})" for each in struck)
    name = (
        f"Asked for a colour, a model would begin with {gone}. A mask strikes all of these out, and it writes {text}."
    )
    style = tag("style", _moves(len(found), len(struck)))
    return picture(_WIDTH, _HEIGHT, "".join([style, *head, *tokens, *bars]), name)


def _cut(text: str) -> str:
    return text if len(text) <= 56 else f"{text[:56].rstrip()} …"


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def _text(x: float, y: float, text: str, class_: str, size: int = 14, **more: str | float) -> str:
    return tag("text", escape(visible(text)), x=x, y=y, class_=class_, style=f"font-size:{size}px", **more)


def _line(y: float, name: str, text: str) -> str:
    return _text(_LEFT - 14, y, name, "muted", text_anchor="end") + _text(_LEFT, y, text, "mono")


def _token(found: Sequence[Step], place: int) -> str:
    """Draw a token of the text where the tokens before it end."""
    before, chosen = sum(len(step.chosen) for step in found[:place]), found[place].chosen
    size = {"textLength": _CHAR * len(chosen)}
    return _text(_LEFT + _CHAR * before, 110, chosen, f"mono bold good t{place}", 22, **size)


def _bars(step: Step, number: int) -> str:
    """Draw the candidates of a step; of the first one also as they are before the mask."""
    rows, struck = "", 0
    for place, each in enumerate(step.candidates):
        y = _TOP + _ROW * place
        change = "grown" if each.masked else f"k{struck}"
        struck += not each.masked
        if number == 0:
            rows += tag("g", _plain(each, y), class_=f"before-{change}")
        rows += tag("g", _kept(each, y) if each.masked else _struck(each, y), class_=change if number == 0 else "")
    return tag("g", rows, class_=f"b{number}")


def _plain(candidate: Candidate, y: float) -> str:
    width = max(2.0, _BAR * candidate.free)
    name = _text(_LEFT - 14, y + 5, candidate.text, "mono", 15, text_anchor="end")
    bar = tag("rect", class_="head", x=_LEFT, y=y - 9, width=width, height=18, rx=2)
    return name + bar + _text(_LEFT + width + 10, y + 5, _percent(candidate.free), "muted")


def _struck(candidate: Candidate, y: float) -> str:
    frame = {"x": _LEFT, "y": y - 9, "width": max(2.0, _BAR * candidate.free), "height": 18.0}
    name = _text(_LEFT - 14, y + 5, candidate.text, "mono off", 15, text_anchor="end")
    bar = tag("rect", class_="gone", fill="none", **frame, rx=2) + hatch(**frame)
    start = _LEFT - 18 - 9.1 * len(candidate.text)
    line = tag("rect", class_="off line-through", x=start, y=y - 1, width=_LEFT + frame["width"] + 6 - start, height=2)
    return name + bar + line + _text(_LEFT + frame["width"] + 14, y + 5, _percent(candidate.free), "muted")


def _kept(candidate: Candidate, y: float) -> str:
    before, after = _percent(candidate.free), _percent(candidate.masked)
    width = max(2.0, _BAR * candidate.masked)
    name = _text(_LEFT - 14, y + 5, candidate.text, "mono bold", 15, text_anchor="end")
    bar = tag("rect", class_="good bar", x=_LEFT, y=y - 9, width=width, height=18, rx=2)
    told = after if before == after else f"{before} → {after}"
    return name + bar + _text(_LEFT + width + 10, y + 5, told, "bold")


def _moves(n_steps: int, n_struck: int) -> str:
    """Return the style: what rests unseen, and, where motion is welcome, from when to when each part is seen."""
    strikes = [_STRIKES + 0.15 * number for number in range(n_struck)]
    starts = [_NEXT + _EACH * number for number in range(n_steps - 1)]
    spans = {f"k{n}": [(second, LONGEST)] for n, second in enumerate(strikes)}
    spans |= {f"before-k{n}": [(0.0, second)] for n, second in enumerate(strikes)}
    spans |= {"grown": [(_GROWS, LONGEST)], "before-grown": [(0.0, _GROWS)]}
    spans |= {"t0": [(_FIRST, LONGEST)], "b0": [(0.0, _NEXT), (_LAST, LONGEST)]}
    for n, (start, end) in enumerate(zip(starts, [*starts[1:], _LAST], strict=True), start=1):
        spans |= {f"t{n}": [(start + 0.25, LONGEST)], f"b{n}": [(start, end)]}
    hidden = ",".join(f".{name}" for name, seen in spans.items() if seen[-1][1] < LONGEST)
    slide = "transform-box:fill-box;transform-origin:left;animation:slide .3s"
    moving = "@keyframes slide{from{transform:scaleX(0)}}" + "".join(map(_seen, spans, spans.values()))
    moving += "".join(f".k{n} .line-through{{{slide} {WAIT + at:g}s both}}" for n, at in enumerate(strikes))
    moving += f".grown .bar{{{slide} {WAIT + _GROWS:g}s both}}"
    return f"{hidden}{{opacity:0}}@media (prefers-reduced-motion:no-preference){{{moving}}}"


def _seen(name: str, spans: Sequence[tuple[float, float]]) -> str:
    """Return the rules by which the parts of a class are seen within these seconds, and at no other time."""
    frames = {0.0: 0} | {second: shown for span in spans for second, shown in zip(span, (1, 0), strict=True)}
    frames[LONGEST] = int(spans[-1][1] == LONGEST)
    told = "".join(f"{100 * second / LONGEST:g}%{{opacity:{shown}}}" for second, shown in sorted(frames.items()))
    return f"@keyframes {name}{{{told}}}.{name}{{animation:{name} {LONGEST:g}s {WAIT:g}s both step-end}}"
