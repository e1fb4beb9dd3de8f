"""Labs 13 and 14: the READMEs' tables are those of the points that are committed, which are whole."""

import json
import math

import pytest

from labs.lab_13_fair_sampling import measuring as lab_13
from labs.lab_13_fair_sampling.given.samplers import ATTEMPTS, NAMES, PARTICLES
from labs.lab_14_drafts import measuring as lab_14
from labs.lab_14_drafts.solution import tokens_a_pass

PARTS = [
    (lab_13, "measured", lab_13.excerpt),
    (lab_14, "measured", lambda: lab_14.table(lab_14.committed())),
]


@pytest.mark.parametrize(("lab", "name", "made"), PARTS, ids=["13", "14"])
def test_the_tables_are_of_the_points(lab, name, made):
    text = (lab.LAB / "README.md").read_text(encoding="utf-8")
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    assert text[text.index(begin) + len(begin) : text.index(end)] == made()


def test_the_points_of_lab_13_are_whole():
    """Each language with both checkpoints and all samplers, by the constants that stand in the code."""
    content = json.loads(lab_13.POINTS.read_text(encoding="utf-8"))
    assert [content[key] for key in ("samples", "particles", "attempts")] == [lab_13.SAMPLES, PARTICLES, ATTEMPTS]
    points = lab_13.committed()
    expected = [(asked.name, checkpoint) for asked in lab_13.ALL for checkpoint in ("early", "final")]
    assert [(point.name, point.checkpoint) for point in points] == expected and len(expected) >= 12
    for point in points:
        assert [result.sampler for result in point.results] == [*NAMES]
        assert {result.valid for result in point.results if result.written} == {1.0}
        assert 0 < point.legal <= 1 + 1e-9 and 0 <= point.tv <= 1 and point.kl >= 0
        # Pinsker: the variation is at most the root of half the divergence.
        assert not point.texts or point.tv <= math.sqrt(point.kl / 2) + 1e-6


def test_the_points_of_lab_14_are_whole():
    """Each language with each drafter, and the first drafter with each length."""
    content = json.loads(lab_14.POINTS.read_text(encoding="utf-8"))
    assert [content[key] for key in ("seeds", "budget")] == [lab_14.SEEDS, lab_14.BUDGET]
    points = lab_14.committed()
    expected = [
        (language, drafter, length)
        for language in lab_14.LANGUAGES
        for drafter in lab_14.DRAFTERS
        for length in (lab_14.LENGTHS if drafter == lab_14.DRAFTERS[0] else (lab_14.LENGTH,))
    ]
    assert [(point.language, point.drafter, point.length) for point in points] == expected
    for point in points:
        assert point.kept <= point.tested <= point.drafted and point.tokens - point.passes <= point.kept
        # An answer that ends inside a draft has no token after it, so the formula is an upper bound, up to chance.
        assert 1 <= point.a_pass <= 1.05 * tokens_a_pass(point.rate, point.length)
        assert point.drafter != "forced" or point.rate in (0, 1)


def test_short_measurements_give_the_same_kind_of_points(monkeypatch):
    monkeypatch.setattr(lab_13, "SAMPLES", 20)
    asked = next(asked for asked in lab_13.ALL if asked.name == "month without a day")
    found = lab_13.measured(asked, "final")
    (kept,) = (p for p in lab_13.committed() if (p.name, p.checkpoint) == (asked.name, "final"))
    for name in ("legal", "texts", "kl", "tv"):  # of a list of all texts, so no chance is in it
        assert math.isclose(getattr(found, name), getattr(kept, name), rel_tol=1e-3), name
    asked = next(asked for asked in lab_14.ALL if asked.name == "colour")
    found = lab_14.measured(asked, "bigrams, masked", lab_14.LENGTH)
    (kept,) = (p for p in lab_14.committed() if (p.language, p.drafter) == ("colour", "bigrams, masked"))
    assert abs(found.a_pass - kept.a_pass) < 0.1 and abs(found.rate - kept.rate) < 0.1
