"""The README's table is that of the points that are committed, and the points are whole."""

import json
import math

from labs.lab_13_fair_sampling import measuring
from labs.lab_13_fair_sampling.given.samplers import ATTEMPTS, NAMES, PARTICLES


def test_the_table_is_of_the_points():
    text = (measuring.LAB / "README.md").read_text(encoding="utf-8")
    begin, end = "<!-- measured: begin -->\n", "<!-- measured: end -->"
    assert text[text.index(begin) + len(begin) : text.index(end)] == measuring.excerpt()


def test_the_points_are_whole():
    """Each language with both checkpoints and all samplers, by the constants that stand in the code."""
    content = json.loads(measuring.POINTS.read_text(encoding="utf-8"))
    assert [content[key] for key in ("samples", "particles", "attempts")] == [measuring.SAMPLES, PARTICLES, ATTEMPTS]
    points = measuring.committed()
    expected = [(asked.name, checkpoint) for asked in measuring.ALL for checkpoint in ("early", "final")]
    assert [(point.name, point.checkpoint) for point in points] == expected and len(expected) >= 12
    for point in points:
        assert [result.sampler for result in point.results] == [*NAMES]
        assert {result.valid for result in point.results if result.written} == {1.0}
        assert 0 < point.legal <= 1 + 1e-9 and 0 <= point.tv <= 1 and point.kl >= 0
        # Pinsker: the variation is at most the root of half the divergence.
        assert not point.texts or point.tv <= math.sqrt(point.kl / 2) + 1e-6


def test_a_short_measurement_gives_the_same_kind_of_point(monkeypatch):
    monkeypatch.setattr(measuring, "SAMPLES", 20)
    asked = next(asked for asked in measuring.ALL if asked.name == "month without a day")
    found = measuring.measured(asked, "final")
    (committed,) = (p for p in measuring.committed() if (p.name, p.checkpoint) == (asked.name, "final"))
    for name in ("legal", "texts", "kl", "tv"):  # of a list of all texts, so no chance is in it
        assert math.isclose(getattr(found, name), getattr(committed, name), rel_tol=1e-3), name
    assert [result.written for result in found.results] == [1.0, 0.0, 1.0, 1.0]
