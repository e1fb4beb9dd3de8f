"""The README's tables are those of the points that are committed, and the points are whole."""

import json

from labs.lab_14_drafts import measuring
from labs.lab_14_drafts.solution import tokens_a_pass

README = (measuring.LAB / "README.md").read_text(encoding="utf-8")


def between(name):
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    return README[README.index(begin) + len(begin) : README.index(end)]


def test_the_tables_are_of_the_points():
    assert between("measured") == measuring.table(measuring.committed())
    assert between("speedups") == measuring.speedups()


def test_the_points_are_whole():
    """Each language with each drafter, and the first drafter with each length."""
    content = json.loads(measuring.POINTS.read_text(encoding="utf-8"))
    assert [content[key] for key in ("seeds", "budget")] == [measuring.SEEDS, measuring.BUDGET]
    points = measuring.committed()
    expected = [
        (language, drafter, length)
        for language in measuring.LANGUAGES
        for drafter in measuring.DRAFTERS
        for length in (measuring.LENGTHS if drafter == measuring.DRAFTERS[0] else (measuring.LENGTH,))
    ]
    assert [(point.language, point.drafter, point.length) for point in points] == expected
    for point in points:
        assert point.kept <= point.tested <= point.drafted and point.tokens - point.passes <= point.kept
        # An answer that ends inside a draft has no token after it, so the formula is an upper bound, up to chance.
        assert 1 <= point.a_pass <= 1.05 * tokens_a_pass(point.rate, point.length)
        assert point.drafter != "forced" or point.rate in (0, 1)


def test_a_measurement_again_gives_nearly_the_same_point():
    asked = next(asked for asked in measuring.ALL if asked.name == "colour")
    found = measuring.measured(asked, "bigrams, masked", measuring.LENGTH)
    (committed,) = (
        point for point in measuring.committed() if (point.language, point.drafter) == ("colour", "bigrams, masked")
    )
    assert abs(found.a_pass - committed.a_pass) < 0.1 and abs(found.rate - committed.rate) < 0.1
