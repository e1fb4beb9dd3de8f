"""The README: its length and order, its lines of Python as they stand, its picture, and its figures."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from course.showcase.demo import struck
from course.student.core.catalog import ROOT, all_labs
from course.student.core.wrong_answers import bank
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from tests.runs import process

README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = struck.FILE.read_text(encoding="utf-8")
MOST = 900
"""Words, but for the tables of labs and of milestones."""

ORDER = ["![", "```python", "-m course play", "make demo  ", "MaskBench", "## The syllabus", "## Start with lab 01"]
ORDER += ["course quiz 01", "LAB_CHAIN=mine", "## Milestones", "## Where to go next"]


def test_it_is_short():
    text = re.sub(r"<!-- .*? -->", "", README, flags=re.S)
    for heading in ("| lab | what you do |", "| after lab | what you have |"):
        table = re.search(rf"^{re.escape(heading)}.*\n(\|.*\n)+", text, re.M)
        text = text.replace(table[0], "")
    text = re.sub(r"\]\([^)]*\)", "]", text)  # an address is not read
    assert len(re.findall(r"\S*\w\S*", text)) <= MOST


def test_it_has_its_parts_in_order_after_one_sentence():
    places = [README.index(part) for part in ORDER]
    assert places == sorted(places)
    first = README.partition("# Mask the Logits\n")[2].partition("![")[0].strip()
    assert first.count(". ") == 0 and first.endswith(".") and "**mask**" in first
    commands = README.partition("| command |")[2].partition("\n\n")[0]
    assert commands.count("`python3 -m course ") == 4


def test_its_lines_of_python_run_as_they_stand(tmp_path):
    (code,) = re.findall(r"^```python\n(.*?)^```", README, re.M | re.S)
    (tmp_path / "lines.py").write_text(code, encoding="utf-8")
    assert process(ROOT, str(tmp_path / "lines.py"), PYTHONPATH=str(ROOT)) == (0, "#ee82ee")
    assert "prints `#ee82ee`" in README
    assert 6 <= len([line for line in code.splitlines() if line and not re.match("from |import ", line)]) <= 10
    assert struck.PROMPT in code and struck.PATTERN in code and "-np.inf" in code


# The picture -----------------------------------------------------------------------------------------


def first_chances():
    """The likeliest first tokens, and their chances in per cent."""
    logits = SmallModel.load().forward([Tokenizer.load().prompt(struck.PROMPT)], SmallModel.load().new_cache())[0]
    chances = np.exp(logits.astype(float))
    chances *= 100 / chances.sum()
    return {Tokenizer.load().decode([i]): round(chances[i]) for i in np.argsort(-chances)[: struck.SHOWN].tolist()}


def test_the_picture_shows_what_the_model_would_write_and_what_it_may():
    chances = first_chances()
    assert [*chances] == ["Here", "Sure", "O", "20", "The", "#"]
    root = ET.fromstring(PICTURE)
    gone = ", ".join(f"{text} ({chance}%)" for text, chance in chances.items() if text != "#")
    assert gone in root.attrib["aria-label"] and "it writes #ee82ee." in root.attrib["aria-label"]
    for text, chance in {**chances, "#": "2% → 100"}.items():
        assert f">{text}</text>" in PICTURE and f">{chance}%</text>" in PICTURE
    for text in ("Here", "Sure"):
        assert f"`{text}` ({chances[text]}%)" in " ".join(README.split())
    assert ">Here is what you asked for: " in PICTURE and struck.free_answer().startswith(
        "Here is what you asked for: "
    )


def test_the_picture_is_one_text_for_both_schemes_and_needs_nothing():
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(PICTURE).iter()}
    assert tags <= {"svg", "style", "rect", "text", "g", "path"} and len(PICTURE) < 300_000
    assert "prefers-color-scheme:dark" in PICTURE and "url(" not in PICTURE and "@import" not in PICTURE


def test_it_moves_only_where_motion_is_welcome_and_comes_to_rest():
    moving = re.search(r"@media \(prefers-reduced-motion:no-preference\)\{(.*)\}</style>", PICTURE)[1]
    assert "animation" not in PICTURE.replace(moving, "") and "infinite" not in moving
    for name, frames in re.findall(r"@keyframes (\w[\w-]*)\{((?:[\d.]+%\{[^}]*\})+)\}", moving):
        hidden = re.search(rf"[,>]\.{name}(?=[,{{])[^@]*?\{{opacity:0\}}@media", PICTURE) is not None
        assert frames.endswith(f"100%{{opacity:{int(not hidden)}}}"), name
    seconds = [float(one) + float(other) for one, other in re.findall(r":[\w-]+ ([\d.]+)s ([\d.]+)s both", moving)]
    assert max(seconds) <= struck.WAIT + struck.LONGEST and len(seconds) > 20


# Figures ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", ["every value judged right", "an invalid value accepted", "a mask with its step, median"]
)
def test_the_figures_beside_other_engines_are_those_of_lab_12(row):
    note = (ROOT / "upstream_notes" / "lab_12_pushdown.md").read_text("utf-8")
    (measured,) = re.findall(rf"^\| {row} \|(.*)\|$", note, re.M)
    assert f"{row} |{measured}|" in README


def test_as_many_mistakes_are_known_as_it_says():
    (said,) = re.findall(r"more than ([\d,]+) mistakes", README)
    assert 0 <= sum(len(bank(lab)) for lab in all_labs()) - int(said) < 100
