"""The table of the engines holds the figures of the file beside it."""

import json
from math import exp, log
from statistics import mean, median

from course.student.core.catalog import find_lab

FOLDER = find_lab(7).folder / "given/tuned"
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


def test_every_figure_is_that_of_the_evidence():
    text = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## Beside today's engines")[2]
    measured = json.loads((FOLDER / "engines.json").read_text(encoding="utf-8"))
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
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
