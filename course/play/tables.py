"""Small tables that need no reference of a lab: rows of bits to paint, measured runs, a draft."""

import json
from string import ascii_letters, digits
from typing import Any

import regex

from course.student.core.catalog import ROOT
from course.student.show.traces import token_name
from labkit.scenes import BYTE_VOCABULARY

ONE_OF_TWO = """root ::= x | y
x ::= "a" root "x" | "c"
y ::= "a" root "y" | "d\""""
"""The grammar of lab 12's first picture: an ``a`` opens one of two, and only its end says which."""

_GRAMMARS = [
    ("an a opens x or y", ONE_OF_TWO, "aaa"),
    ("brackets", 'root ::= ("(" root? ")" | "[" root? "]" | "{" root? "}")+', "[{("),
]
_SHIPPED = (("sums", "arithmetic", "2*(3+"), ("JSON", "json", '[{"a":['))
_STACKS = (
    "Add more letters `a`, and compare how many stacks there are with how many boxes hold them. Then write a `c`, and "
    "see them taken down. Or bring a grammar of your own: how many readings can one text have?"
)

_BATCH = (
    "Two requests share one grammar, but they are in different states, so their masks differ. An engine packs each "
    "mask into words of 32 bits. Tap a token to allow it or to take it away: which bit of which word changes? And what "
    "happens to the number when it's a word's last bit?"
)
_KERNEL = (
    "The kernel masks a block of columns at a time, and each of its instances loads only the words of its block. Tap a "
    "token to allow it or to take it away, then change the size of the blocks. Which words does an instance need?"
)

_LAW = (
    "Where the mask leaves a single token, nobody has to ask the model: that token is forced, and costs only a part of "
    "a pass. How much faster does that make a whole answer? Move the two sliders, and then compare the curve with runs "
    "of a real model."
)
_DRAFT = (
    "A small model, the drafter, guesses the next tokens, and the large one, the target, checks all of them in one "
    "pass. Here both answer yes or no. But the drafter has no mask, and sometimes says maybe. What do you do with that "
    "token? One of the three answers changes how often the target says yes: find it, and then make it worse."
)

TYPICAL = (0.25, 0.4)
"""The share of saved passes that one page calls typical, with 1.5 to 2 times the speed: see lab 10."""


def batch_rows() -> dict[str, Any]:
    """Return two rows of lab 09's batch to start from: ``0x[0-9a-f]+`` before its first token, and after ``0``."""
    vocabulary, pattern = BYTE_VOCABULARY, regex.compile("0x[0-9a-f]+")
    texts = [None if i in vocabulary.special_ids else text for i, text in enumerate(vocabulary.texts())]
    rows = [
        [int(bool(t) and bool(pattern.fullmatch(f"{begun}{t}", partial=True))) for t in texts] for begun in ("", "0")
    ]
    return {
        "names": [token_name(vocabulary, i) for i in range(len(vocabulary))],
        "rows": rows,
        "block": 0,
        "intro": _BATCH,
    }


def one_draft() -> dict[str, Any]:
    """Return lab 14's prediction: the target's yes, the drafter's yes among yes and no, its maybe, and a length."""
    return {"intro": _DRAFT, "target": 0.5, "drafter": 2 / 3, "illegal": 0.25, "length": 4}


def speeds() -> dict[str, Any]:
    """Return lab 10's measured runs: the share of tokens without a pass, what such a token costs, and the speed."""
    points = json.loads((ROOT / "labs/lab_10_jump_forward/given/points.json").read_text(encoding="utf-8"))
    runs = []
    for point in points:
        share = 1 - point["passes"] / point["tokens"]
        cost = point["cost_ratio"] if share else 0.0  # where nothing was forced, nothing was measured
        runs.append({"name": point["name"], "policy": point["policy"], "share": share, "cost": cost})
        runs[-1]["ratio"] = point["ratio"]
    return {"intro": _LAW, "runs": sorted(runs, key=lambda run: run["share"]), "claim": list(TYPICAL)}


def kernel_words() -> dict[str, Any]:
    """Return two rows to paint, the first one from lab 15's README, for logits padded to 128 columns."""
    names = [*map(repr, digits + ascii_letters + "+-.,:_ "), "EOS"]
    rows = [[int(i in allowed) for i in range(len(names))] for allowed in ({2, 5, 6, 31, 32, 33, 69}, {*range(10), 64})]
    return {"names": names, "rows": rows, "block": 64, "columns": 128, "intro": _KERNEL}


def own_grammars() -> dict[str, Any]:
    """Return grammars to start from, each with a text."""
    folder = ROOT / "labs/lab_12_pushdown/given/grammars"
    shipped = [(name, (folder / f"{file}.gbnf").read_text("utf-8").strip(), text) for name, file, text in _SHIPPED]
    return {"intro": _STACKS, "examples": [*_GRAMMARS, *shipped]}
