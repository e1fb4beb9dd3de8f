"""What is drawn beside the recorded runs: automata, tries, budgets, schemas, bitmasks, measured points, stacks."""

import json
from collections.abc import Callable, Iterable
from html import escape
from itertools import groupby, product
from typing import Any

from book.explorers.recorded import frames_of
from course.student.core.catalog import ROOT, find_lab
from course.student.show import scene_of
from labkit.automata import Fsm
from labkit.scenes import VOCABULARY, whole_text
from labkit.scenes.traces import automaton_of, token_name
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, partial_match
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
from labs.lab_08_json_schema.given.whitespace import policy
from labs.lab_08_json_schema.solution import json_schema_to_regex, member_regex
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.stacks import stacks_of
from labs.lab_12_pushdown.scene import GRAMMAR as BRACKETS
from labs.lab_12_pushdown.scene import VOCABULARY as BRACKET_VOCABULARY
from labs.lab_12_pushdown.solution import PushdownFSM

Move = Callable[[Any, str], Any]
"""Gives the place after a text, None where it is dead."""


def trie_walk() -> dict[str, Any]:
    """Return the walks of lab 03 over a trie, one for each state, in the order of a stack of places."""
    fsm, texts = compile_pattern("0x[0-9a-f]+"), VOCABULARY.texts()
    trie = build_trie(texts)
    prefixes = {0: ""}
    for node, row in enumerate(trie.children):
        prefixes |= {below: prefixes[node] + char for char, below in row.items()}
    walks = []
    for state in range(len(fsm)):
        looked, waiting = [], [(0, state)]
        while waiting:
            node, here = waiting.pop()
            for char, below in trie.children[node].items():
                target = fsm.transitions[here].get(char)
                looked.append([below, target is not None])
                if target is not None:
                    waiting.append((below, target))
        # one by one, each token pays for its characters up to the one that dies
        naive = sum(_lookups(fsm, state, text) for text in texts if text)
        walks.append({"state": state, "looked": looked, "naive": naive})
    nodes = [[node, repr(prefixes[node]), len(trie.ids[node])] for node in sorted(prefixes, key=prefixes.__getitem__)]
    return {"pattern": "0x[0-9a-f]+", "nodes": nodes, "walks": walks, "automaton": automaton_of(fsm)}


def budgets() -> dict[str, Any]:
    """Return the same answer cut by a budget (lab 04), and finished within it (lab 05)."""
    slides = []
    for budget in range(4, 13):
        parts = []
        for number, name in ((4, "mask alone"), (5, "mask and budget")):
            scene = scene_of(find_lab(number), grammar=r"[0-9]+\.[0-9]+", model_name="digits", max_tokens=budget)
            seen = frames_of(number, scene)
            written = whole_text(seen[-1].text) + scene.vocabulary.decode([seen[-1].chosen or 0])
            kind = "good" if seen[-1].end.startswith("EOS") else "bad"
            parts.append(f"<h3>{name}</h3><p><code>{escape(repr(written))}</code></p>")
            parts.append(f'<p class="{kind}">{escape(seen[-1].end)}</p>')
        rows = []
        for frame in seen:
            assert frame.legal is not None and frame.mask is not None
            gone = [token_name(scene.vocabulary, int(i)) for i in (frame.legal & ~frame.mask).nonzero()[0]]
            names = " ".join(f'<span class="token struck">{escape(name)}</span>' for name in gone) or "nothing"
            rows.append([repr(frame.text), str(budget - frame.number + 1), f"{frame.distance:g}", names])
        heads = ("text", "tokens left", "tokens to accept", "the budget takes away")
        slides.append({"label": f"{budget} tokens", "html": "".join(parts) + _table(heads, rows, raw=3)})
    return {"name": "budget", "choices": [{"name": "", "slides": slides}]}


def schema_parts() -> dict[str, Any]:
    """Return a schema, and which part of its expression and of its automaton each key is."""
    keys = {"on": {"type": "boolean"}, "n": {"type": "integer"}}
    schema = {"type": "object", "properties": keys, "required": list(keys)}
    pattern = json_schema_to_regex(schema, whitespace="compact")
    parts, rest = [], pattern
    for key, child in keys.items():
        member = member_regex(key, json_schema_to_regex(child), policy("compact"))
        before, found, rest = rest.partition(member)
        assert found
        parts += [[before, ""], [member, key]]
    dfa, arrows = compile_dfa(pattern), set()
    for on, n in product((True, False), (0, 7, 10, 42, 99, -1, -10, -77)):
        text = json.dumps({"on": on, "n": n}, separators=(",", ":"))
        comma, state = text.index(","), dfa.initial
        for place, char in enumerate(text):
            target = dfa.step(state, ord(char))
            if char not in "{}" and place != comma:
                arrows.add((state, target, "on" if place < comma else "n"))
            state = target
    lines = [[line, next((key for key in keys if f'"{key}": {{' in line), "")] for line in _lines(schema)]
    return {"schema": lines, "pattern": [*parts, [rest, ""]], "automaton": automaton_of(dfa), "arrows": sorted(arrows)}


def bitmasks() -> dict[str, Any]:
    """Return the masks of lab 09's scene as rows of bits to start from."""
    seen = [frame for frame in frames_of(9, scene_of(find_lab(9))) if frame.mask is not None][:2]
    vocabulary = scene_of(find_lab(9)).vocabulary
    rows = [frame.mask.astype(int).tolist() for frame in seen if frame.mask is not None]
    return {"names": _names(vocabulary), "rows": rows}


def jumps() -> dict[str, Any]:
    """Return lab 10's measured points, one slide for each form of answer."""
    points = json.loads((ROOT / "labs/lab_10_jump_forward/given/points.json").read_text(encoding="utf-8"))
    by_name = [(name, list(group)) for name, group in groupby(points, key=lambda point: point["name"])]
    by_name.sort(key=lambda item: max(map(_saved, item[1])))
    heads = ("policy", "tokens", "passes", "without jumps", "speed", "log-probability", "without jumps")
    slides = []
    for name, group in by_name:
        rows = [
            [
                point["policy"],
                str(point["tokens"]),
                str(point["passes"]),
                str(point["plain_passes"]),
                f"{point['ratio']:.2f}x",
                f"{point['logprob']:.1f}",
                f"{point['plain_logprob']:.1f}",
            ]
            for point in group
        ]
        slides.append(
            {"label": name, "html": _scatter(points, name) + f"<h3>{escape(name)}</h3>" + _table(heads, rows)}
        )
    return {"name": "form of the answer", "choices": [{"name": "", "slides": slides}]}


def stacks() -> dict[str, Any]:
    """Return lab 12's stacks along three texts."""
    vocabulary = BRACKET_VOCABULARY
    fsm = PushdownFSM(read_gbnf(BRACKETS), TokenVocabularyIndex(vocabulary))
    ids = {text: i for i, text in enumerate(vocabulary.texts()) if text}
    choices = []
    for tokens in (["[", "{", "}", "(", ")", "]"], ["[[", "{", "}]", "]", "(", ")"], ["(", "[", "]", "{}", ")", "[]"]):
        state, before, slides = fsm.initial_state, "", list[dict[str, str]]()
        for token in [*tokens, ""]:
            words = fsm.mask(state).tolist()
            legal = [i for i in range(len(vocabulary)) if words[i // 32] >> i % 32 & 1]
            boxes = "".join(f'<span class="token">{place}</span>' for place in stacks_of(state.kernel)[0][:-1])
            opened = [char for place, char in enumerate(before) if char in "[{(" and not _closed(before, place)]
            facts = [
                ("text", f"<code>{escape(before) or 'empty'}</code>"),
                ("open", " ".join(f'<span class="token">{char}</span>' for char in opened) or "nothing"),
                ("stack", f"{boxes} (states to return to, the top first)"),
                ("legal", " ".join(f'<span class="token">{escape(token_name(vocabulary, i))}</span>' for i in legal)),
                (
                    "to accept",
                    f"{fsm.tokens_to_accept(state):g} tokens are enough; EOS {'legal' if state.ended else 'not legal'}",
                ),
            ]
            html = "<dl>" + "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts) + "</dl>"
            slides.append({"label": f"after {len(slides)} tokens", "html": html})
            if token:
                state, before = fsm.next_state(state, ids[token]), before + token
        choices.append({"name": " ".join(tokens), "slides": slides})
    return {"name": "text", "choices": choices}


def _texts() -> list[str]:
    return [text for text in VOCABULARY.texts() if text]


def _names(vocabulary: Vocabulary) -> list[str]:
    return [token_name(vocabulary, i) for i in range(len(vocabulary))]


def _lookups(fsm: Fsm, state: int, text: str) -> int:
    return next((n for n in range(1, len(text)) if partial_match(fsm, state, text[:n]) is None), len(text))


def _lines(schema: dict[str, Any]) -> list[str]:
    inner = [f'    "{key}": {json.dumps(child)}' for key, child in schema["properties"].items()]
    return [
        "{",
        '  "type": "object",',
        '  "properties": {',
        *inner,
        "  },",
        f'  "required": {json.dumps(schema["required"])}',
        "}",
    ]


def _saved(point: dict[str, Any]) -> float:
    return float(1 - point["passes"] / point["tokens"])


def _closed(text: str, place: int) -> bool:
    depth = 0
    for char in text[place:]:
        depth += 1 if char in "[{(" else -1
        if depth == 0:
            return True
    return False


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]], raw: int = -1) -> str:
    """Return a table; the column ``raw`` is HTML already."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if n == raw else escape(cell)}</td>" for n, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    whole = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="group" aria-label="table">{whole}</div>'


def _scatter(points: list[dict[str, Any]], name: str) -> str:
    """Return the measured points, those of one form filled: the share of tokens without a pass, and the speed."""
    width, height, left, bottom = 420, 230, 46, 36
    dots = []
    for point in sorted(points, key=lambda point: point["name"] == name):
        x, y = (
            left + _saved(point) * (width - left - 12),
            height - bottom - (point["ratio"] - 0.9) / 6.4 * (height - 50),
        )
        kind = "lit" if point["name"] == name else "other"
        said = f"<title>{point['policy']}: {point['ratio']}x</title>" if kind == "lit" else ""
        dots.append(f'<circle class="{kind}" cx="{x:.0f}" cy="{y:.0f}" r="5">{said}</circle>')
    heights = {n: height - bottom - (n - 0.9) / 6.4 * (height - 50) + 4 for n in (1, 3, 5, 7)}
    ticks = "".join(f'<text x="{left - 6}" y="{y:.0f}" text-anchor="end">{n}x</text>' for n, y in heights.items())
    ticks += "".join(
        f'<text x="{left + n / 100 * (width - left - 12):.0f}" y="{height - 20}" text-anchor="middle">{n}%</text>'
        for n in (0, 50, 100)
    )
    axes = f'<path class="line" d="M{left},10V{height - bottom}H{width - 8}"/>'
    said = "tokens written without a pass; speed against none"
    title = f'<text x="{width / 2:.0f}" y="{height - 4}" text-anchor="middle">{said}</text>'
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'aria-label="speed by share of forced tokens, {escape(name)} marked">{axes}{ticks}{title}{"".join(dots)}</svg>'
    )
