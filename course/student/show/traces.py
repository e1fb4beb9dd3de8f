"""A trace: what one run of a scene did, step by step, as data for JSON. The terminal, a page and the book all draw it.

``trace`` returns, in version 1::

    {"version": 1, "lab": "lab 04", "file": "starter.py",
     "scene": {"kind", "grammar", "model", "seed", "max_tokens", "prompt" or null, "no_mask" or null},
     "vocabulary": {"size", "eos", "names": {id: how it is written}},   only tokens that a step names
     "automaton": null, or {"states", "initial", "accepting": [state], "arrows": [[from, label, to]], "svg"},
     "steps": [...]}

and each step is the dict of ``step_of``. Shares are parts of 1. Whatever the run did not reach is null or empty.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.pictures import fsm_svg
from labkit.pictures.graphs.graph import graph_of
from labkit.pictures.palette import variables
from labkit.scenes.automata import MOST_DRAWN
from labkit.scenes.scene import Scene
from labkit.scenes.texts import raw_bytes, whole_text
from labkit.vocabulary import Vocabulary

VERSION = 1
TOP = 5
"""How many favourites of the model, and of what the mask left, a step names."""

_HERE = Path(__file__).parent


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return probabilities to draw: none at all where no logit is finite."""
    weights = np.where(np.isfinite(logits), np.exp(np.minimum(logits.astype(np.float64), 500.0)), 0.0)
    return np.asarray(weights / (weights.sum() or 1.0))


def token_name(vocabulary: Vocabulary, token_id: int) -> str:
    """Return a token as Python writes it, with its id where another token has the same bytes.

    >>> twins = Vocabulary([b"a", b"a", b"b", b"</s>"], eos_id=3)
    >>> [token_name(twins, i) for i in range(4)]
    ["'a' #0", "'a' #1", "'b'", 'EOS']
    """
    if token_id == vocabulary.eos_id:
        return "EOS"
    token = vocabulary.token_bytes[token_id]
    alike = f" #{token_id}" if vocabulary.token_bytes.count(token) > 1 else ""
    return repr(vocabulary.texts()[token_id] or token) + alike


def step_of(scene: Scene, frame: Any) -> dict[str, Any]:
    """Return one frame of ``show`` as a step of a trace.

    The keys: ``number`` and ``passes`` (of the model, this one included); ``text``, its ``bytes`` as hexadecimal
    digits, and ``ids``; ``state`` in words and its number ``at`` in the automaton; ``remaining`` tokens of the budget
    and the ``distance`` to an accepting state (a number, or ``"inf"``); ``mask``, null or ``count``, ``share`` of the
    probability that is left, ``eos`` and its 32-bit signed ``words``; ``packed``, the words that the lab itself made;
    ``differs``, null or the ids that the mask ``strikes`` or ``leaves`` and the reference does not; ``tokens``, the
    favourites as ``id``, ``wanted``, ``left`` (null where it is not known) and ``struck`` (``""``, ``"grammar"``,
    ``"budget"`` or ``"special"``); ``forced``, null or ``text`` and ``ids``; ``chosen``, ``u``, ``following``, and the
    texts ``remark``, ``objection``, ``end``, ``cost``, ``stop``, ``hint`` and ``printed``.
    """
    forced, ids = frame.forced
    return {
        "number": frame.number,
        "passes": frame.number,
        "text": whole_text(frame.text),
        "bytes": raw_bytes(frame.text).hex(),
        "ids": list(frame.ids),
        "state": frame.state,
        "at": None if frame.drawn is None else int(frame.drawn[1]),
        "remaining": scene.max_tokens - frame.number + 1,
        "distance": frame.distance if frame.distance is None or np.isfinite(frame.distance) else "inf",
        "mask": None if frame.mask is None else _mask(scene.vocabulary, frame),
        "packed": None if frame.bitmask is None else frame.bitmask.tolist(),
        "differs": _difference(frame),
        "tokens": _tokens(scene.vocabulary, frame),
        "forced": {"text": forced.decode(errors="replace"), "ids": list(ids)} if forced else None,
        "chosen": frame.chosen,
        "u": frame.u,
        **{name: getattr(frame, name) for name in ("following", "remark", "objection", "end", "cost")},
        "stop": frame.stop.why if frame.stop else "",
        "hint": frame.stop.hint if frame.stop else "",
        "printed": frame.said[-2:],
    }


def trace(scene: Scene, lab: str, file: str, frames: Iterable[Any]) -> dict[str, Any]:
    """Return the trace of a run; see the top of this file."""
    played = list(frames)
    steps = [step_of(scene, frame) for frame in played]
    named = {i for step in steps for i in [*step["ids"], *(row["id"] for row in step["tokens"])]}
    named |= {step["chosen"] for step in steps} - {None}
    named |= {i for step in steps for i in (step["forced"] or {"ids": ()})["ids"]}
    drawn = next((frame.drawn[0] for frame in played if frame.drawn), None)
    is_small = scene.model_name == "small"
    return {
        "version": VERSION,
        "lab": lab,
        "file": file,
        "scene": {
            "kind": scene.kind,
            "grammar": scene.grammar,
            "model": scene.model_name,
            "seed": scene.seed,
            "max_tokens": scene.max_tokens,
            "prompt": scene.prompt if is_small else None,
            "no_mask": scene.free_text if is_small else None,
        },
        "vocabulary": {
            "size": len(scene.vocabulary),
            "eos": scene.vocabulary.eos_id,
            "names": {str(i): token_name(scene.vocabulary, i) for i in sorted(named)},
        },
        "automaton": None if drawn is None else automaton_of(drawn),
        "steps": steps,
    }


def automaton_of(automaton: Any) -> dict[str, Any] | None:
    """Return an automaton's states and arrows, and its picture without colours; None where it is too large to draw."""
    if len(automaton) > MOST_DRAWN:
        return None
    graph = graph_of(automaton)
    if len(graph.arrows) > 4 * MOST_DRAWN:
        return None
    svg = str(fsm_svg(automaton))
    start, end = svg.index("<style>"), svg.index("</style>") + len("</style>")
    return {
        "states": len(automaton),
        "initial": graph.initial,
        "accepting": sorted(graph.accepting),
        "arrows": [[a, graph.arrows[a, b].label(limit=24), b] for a, b in sorted(graph.arrows)],
        "svg": svg[:start] + svg[end:],
    }


def section(kind: str, data: Any, title: str = "", mark: str = "") -> str:
    """Return a section that holds data, for the scripts of ``page`` to draw.

    Args:
        kind: which drawing of the scripts it is; ``replay`` draws a trace.
        mark: an attribute more.

    >>> section("replay", [], "a run").partition("<script")[0]
    '<section class="mtl" data-kind="replay" aria-label="a run" tabindex="0">'
    """
    held = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<section class="mtl" data-kind="{kind}" {mark}{" " * bool(mark)}aria-label="{title or kind}" tabindex="0">'
        f'<script type="application/json">{held}</script></section>\n'
    )


def page(kind: str, data: Any, title: str = "", scripts: Sequence[Path] = ()) -> str:
    """Return a fragment of HTML that draws the data: styles, script and data inline, and no request to any host.

    Args:
        kind: as for ``section``.
        scripts: more scripts, after ``replay.js``.
    """
    return section(kind, data, title) + drawing(scripts)


def drawing(scripts: Sequence[Path] = (), more: str = "") -> str:
    """Return the styles and scripts that draw all sections before them; ``more`` is code after that of the files."""
    code, start = (_HERE / "replay.js").read_text(encoding="utf-8").split("//# the end", 1)
    code += "".join(file.read_text(encoding="utf-8") for file in scripts) + f"{more}//{start}"
    style = colours() + (_HERE / "replay.css").read_text(encoding="utf-8")
    return f"<style>{style}</style>\n<script>(()=>{{{code}}})()</script>\n"


def colours() -> str:
    """Return the palette as CSS variables of our sections: the reader's system chooses the mode, or the book's switch.

    >>> colours().splitlines()[0].partition(";")[0]
    '.mtl, .mtl-page { --ink:#1f2328'
    """
    dark = variables("dark")
    return (
        f".mtl, .mtl-page {{ {variables('light')}; }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f"  body:not([data-theme=light]) .mtl, body.mtl-page:not([data-theme=light]) {{ {dark}; }}\n"
        "}\n"
        f"body[data-theme=dark] .mtl {{ {dark}; }}\n"
    )


def whole_page(data: dict[str, Any]) -> str:
    """Return a page of its own that replays a trace."""
    title = f"{data['lab']}, {data['file']}".replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return page_of(title, page("replay", data, title))


def page_of(title: str, body: str, icon: str = "data:,") -> str:
    """Return a page of its own around a fragment.

    Args:
        title: as HTML, which is its heading, too.
        icon: the address of its icon; by default none, so that a browser asks no server for one.
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="{icon}"><title>{title}</title></head>\n'
        f'<body class="mtl-page"><main><h1>{title}</h1>\n{body}</main></body></html>\n'
    )


def _mask(vocabulary: Vocabulary, frame: Any) -> dict[str, Any]:
    bits = np.zeros(-(-len(frame.mask) // 32) * 32, dtype=np.bool_)
    bits[: len(frame.mask)] = frame.mask
    return {
        "count": int(frame.mask.sum()),
        "share": float(softmax(frame.logits)[frame.mask].sum()),
        "eos": bool(frame.mask[vocabulary.eos_id]),
        "words": np.packbits(bits, bitorder="little").view("<i4").tolist(),
    }


def _difference(frame: Any) -> dict[str, list[int]] | None:
    if frame.right is None or frame.mask is None:
        return None
    return {
        "strikes": np.flatnonzero(frame.right & ~frame.mask).tolist(),
        "leaves": np.flatnonzero(frame.mask & ~frame.right).tolist(),
    }


def _tokens(vocabulary: Vocabulary, frame: Any) -> list[dict[str, Any]]:
    """Return the model's favourites, then those of what the mask left, and the chosen token."""
    wanted, left = softmax(frame.logits), None
    shown = np.argsort(-wanted, kind="stable")[:TOP].tolist()
    if frame.mask is not None:
        # the student's own masked logits; where the show stopped before them, those that the mask asks for
        left = softmax(np.where(frame.mask, frame.logits, -np.inf) if frame.masked is None else frame.masked)
        shown += [i for i in np.argsort(-left, kind="stable")[:TOP].tolist() if left[i] > 0]
    shown = list(dict.fromkeys(shown))
    if frame.chosen is not None and frame.chosen not in shown:
        shown = [*shown[: 2 * TOP - 1], frame.chosen]

    def struck(i: int) -> str:
        if frame.mask is None or frame.mask[i]:
            return ""
        if frame.legal is not None and frame.legal[i]:
            return "budget"
        return "special" if i in vocabulary.special_ids and i != vocabulary.eos_id else "grammar"

    return [
        {"id": i, "wanted": float(wanted[i]), "left": None if left is None else float(left[i]), "struck": struck(i)}
        for i in shown
    ]
