"""What is drawn beside the recorded runs: automata, tries, budgets, schemas, bitmasks."""

import json
from collections.abc import Iterable
from html import escape
from itertools import product
from typing import Any

from book.explorers.recorded import frames_of
from course.student.core.catalog import find_lab
from course.student.show import scene_of
from labkit.automata import Fsm
from labkit.scenes import VOCABULARY, whole_text
from labkit.scenes.traces import automaton_of, token_name
from labkit.vocabulary import Vocabulary
from labs.lab_02_atom_fsm.solution import compile_pattern
from labs.lab_03_token_lifting.solution import build_trie, partial_match
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.given.whitespace import policy
from labs.lab_08_json_schema.solution import json_schema_to_regex, member_regex


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
    return {"names": _names(vocabulary), "rows": rows, "block": 0}


def _texts() -> list[str]:
    return [text for text in VOCABULARY.texts() if text]


def _names(vocabulary: Vocabulary) -> list[str]:
    return [token_name(vocabulary, i) for i in range(len(vocabulary))]


def _lookups(fsm: Fsm, state: int, text: str) -> int:
    return next((n for n in range(1, len(text)) if partial_match(fsm, state, text[:n]) is None), len(text))


def _lines(schema: dict[str, Any]) -> list[str]:
    inner = [f'    "{key}": {json.dumps(child)},' for key, child in schema["properties"].items()]
    inner[-1] = inner[-1].removesuffix(",")
    return [
        "{",
        '  "type": "object",',
        '  "properties": {',
        *inner,
        "  },",
        f'  "required": {json.dumps(schema["required"])}',
        "}",
    ]


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]], raw: int = -1) -> str:
    """Return a table; the column ``raw`` is HTML already."""
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if n == raw else escape(cell)}</td>" for n, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    whole = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="group" aria-label="table">{whole}</div>'
