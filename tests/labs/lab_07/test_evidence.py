"""The tables of the engines hold the figures of the files beside them."""

import json
from math import exp, log
from statistics import mean, median

import numpy as np

from course.student.core.catalog import find_lab

FOLDER = find_lab(7).folder / "given/on_demand"
KINDS = {
    "from the source to the first mask": "first_mask",
    "from the source to the last mask along a text": "generation",
    "from the source to the masks of all states": "all_masks",
    "warm: a mask, mean over the steps": "row",
    "warm: a mask, slowest step": "slowest_row",
    "a mask on the first visit, slowest step": "slowest_first_visit",
    "warm: the masks of a batch of 256": "batch",
    "warm: a step by a token": "advance",
}


def ratios(items, engine, kind):
    found = {}
    for item in items:
        ours, theirs = (item["engines"].get(name, {}).get(kind) for name in ("ours", engine))
        if ours and theirs:
            pairs = zip(ours, theirs, strict=False) if isinstance(ours, list) else [(ours, theirs)]
            found[item["name"]] = median(b / a for a, b in pairs)
    return found


def section(title):
    """Return a section of the README, and its table row by row."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8").partition(f"## {title}\n")[2].partition("\n## ")[0]
    return text, [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]


def test_every_figure_is_that_of_the_evidence():
    text, rows = section("Beside today's engines")
    measured = json.loads((FOLDER / "engines.json").read_text(encoding="utf-8"))
    names = [head.split()[0] for head in rows[0]]
    assert [f"{name} {measured['engines']['versions'][name]}" for name in names] == rows[0]
    assert [row[0] for row in rows[1:]] == list(KINDS) and measured["date"] in text
    for title, *cells in rows[1:]:
        for name, cell in zip(names, cells, strict=True):
            found = ratios(measured["engines"]["items"], name, KINDS[title])
            if not found:
                assert cell == "-"
                continue
            typical, _, worst = cell.rstrip(")").partition(" (")
            lowest, _, where = worst.partition(": ")
            assert abs(float(typical) / exp(mean(map(log, found.values()))) - 1) < 0.06, (title, name)
            assert where == min(found, key=found.get).replace("|", "\\|")
            assert abs(float(lowest) / min(found.values()) - 1) < 0.06, (title, name)


CURVES = {
    "an object's schema, 262,144 tokens: first mask": ("vocabulary", "first_mask"),
    "the same: a further mask, first visit": ("vocabulary", "cold_mask"),
    "262,144 tokens made ready": ("vocabulary", "ready"),
    "memory of a generation's masks, 262,144 tokens": ("vocabulary", "memory"),
    "a choice of 6,250 words: first mask": ("states", "first_mask"),
    "the same: masks of all states": ("states", "all_masks"),
    "a pattern of 4,608 characters: first mask": ("length", "first_mask"),
    "the same, a further mask, first visit": ("length", "cold_mask"),
    "a batch of 1,024 rows, warm": ("batch", "batch"),
}
UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "kB": 1e3, "MB": 1e6}


def test_every_figure_of_the_curves_is_that_of_the_evidence():
    _, rows = section("What it costs as things grow")
    measured = json.loads((FOLDER / "curves.json").read_text(encoding="utf-8"))["curves"]
    names = ["ours" if name == "the course" else name for name in rows[0][1:]]
    assert names == list(measured["versions"]) and [row[0] for row in rows[1:]] == list(CURVES)
    for (curve, kind), (_, *cells) in zip(CURVES.values(), rows[1:], strict=True):
        points = sorted((p["size"], p["figures"].get(kind, {})) for p in measured["points"] if p["curve"] == curve)
        for name, cell in zip(names, cells, strict=True):
            found = {size: figures[name] for size, figures in points if name in figures}
            if cell == "-":
                assert points[-1][0] not in found
                continue
            figure, power = cell.split(", n^")
            number, unit = figure.split()
            assert abs(float(number) * UNITS[unit] / found[points[-1][0]] - 1) < 0.06, (curve, kind, name)
            half = list(found.items())[-max(2, (len(found) + 1) // 2) :]
            slope = np.polyfit(*np.log(np.array(half).T), 1)[0]
            assert abs(float(power) - slope) < 0.06, (curve, kind, name)
