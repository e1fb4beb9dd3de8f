"""``course show --trace`` and ``--html``: what a trace says, against plain code that follows the same tokens."""

import json
import math
import re

import pytest

from course.student.core.catalog import find_lab
from course.student.show import scene_of
from course.student.show.renderer import Renderer
from labkit.scenes import BYTE_VOCABULARY, VOCABULARY
from tests.runs import solution, starter, with_function
from tests.student.show.test_show import frames

STEP_KEYS = {
    *("number", "passes", "text", "bytes", "ids", "state", "at", "remaining", "distance", "mask", "packed", "differs"),
    *("tokens", "forced", "chosen", "u", "following", "remark", "objection", "end", "cost", "stop", "hint", "printed"),
}
PREFIX = re.compile("|0|0x|0x[0-9a-f]+")


def traced(course, tmp_path, *arguments):
    """The trace that the command writes."""
    file = tmp_path / "trace.json"
    code, out, err = course("show", *arguments, "--trace", str(file))
    assert ((code, err) == (0, "") and out.rstrip().endswith(" steps: " + str(file).rsplit("\n", 1)[-1])) or str(
        file
    ) in (out.replace("\n", ""))
    return json.loads(file.read_text(encoding="utf-8"))


def shares(logits):
    """The softmax, by plain floats."""
    weights = [math.exp(value) for value in map(float, logits)]
    return [weight / sum(weights) for weight in weights]


def test_a_trace_says_what_plain_code_finds(course, tmp_path):
    data = traced(course, tmp_path, "04", "--impl", "solution")
    assert (data["version"], data["lab"], data["file"]) == (1, "lab 04", "solution.py")
    assert data["vocabulary"]["size"] == 28 and data["vocabulary"]["eos"] == 27
    scene, texts, ids, state = scene_of(find_lab(4)), VOCABULARY.texts(), [], 0
    for number, step in enumerate(data["steps"], start=1):
        assert set(step) == STEP_KEYS and step["number"] == step["passes"] == number and step["ids"] == ids
        text = "".join(texts[i] for i in ids)
        assert step["text"] == text and bytes.fromhex(step["bytes"]) == text.encode()
        assert step["at"] == state == min(len(text), 3)
        legal = [i for i, token in enumerate(texts) if token and PREFIX.fullmatch(text + token)]
        legal += [27] * (len(text) > 2)
        words = sum(1 << i for i in legal)
        assert [word & 0xFFFFFFFF for word in step["mask"]["words"]] == [words]
        assert step["mask"]["count"] == len(legal) and step["mask"]["eos"] == (27 in legal)
        wanted = shares(scene.model(ids))
        assert step["mask"]["share"] == pytest.approx(sum(wanted[i] for i in legal), rel=1e-5)
        favourites = sorted(range(28), key=lambda i: -wanted[i])[:5]
        assert [row["id"] for row in step["tokens"]][:5] == favourites
        for row in step["tokens"]:
            assert row["wanted"] == pytest.approx(wanted[row["id"]], rel=1e-5)
            assert row["struck"] == ("" if row["id"] in legal else "grammar")
        assert step["chosen"] in legal and step["differs"] == {"strikes": [], "leaves": []}
        ids = [*ids, step["chosen"]]
        state = min(3, len(text + (texts[step["chosen"]] if step["chosen"] != 27 else "")))
    assert ids[-1] == 27 and "EOS" in data["steps"][-1]["end"]
    bits = [-math.log2(step["mask"]["share"]) for step in data["steps"]]
    assert data["steps"][-1]["cost"] == f"the mask cost {sum(bits):.1f} bits, at {len(bits)} of {len(bits)} tokens"
    assert min(bits) > 0.1 and not any(step["cost"] for step in data["steps"][:-1])
    assert {str(i) for i in ids} <= set(data["vocabulary"]["names"])
    assert [(a, b) for a, _, b in data["automaton"]["arrows"]] == [(0, 1), (1, 2), (2, 3), (3, 3)]
    assert data["automaton"]["accepting"] == [3] and "<style" not in data["automaton"]["svg"]


def test_the_budget_takes_tokens_away(course, tmp_path):
    steps = traced(course, tmp_path, "05", "--impl", "solution", "--max-tokens", "4")["steps"]
    assert [step["remaining"] for step in steps] == [4, 3, 2, 1][: len(steps)]
    texts, struck = VOCABULARY.texts(), [row for step in steps for row in step["tokens"] if row["struck"] == "budget"]
    assert struck and all(set(texts[row["id"]] or "") <= set("0123456789.") for row in struck)


def test_what_is_forced_follows_whatever_is_chosen(course, tmp_path):
    data = traced(course, tmp_path, "10", "--impl", "solution")
    tokens, steps = BYTE_VOCABULARY.token_bytes, data["steps"]
    whole = (bytes.fromhex(steps[-1]["bytes"])).decode()
    forced = [step for step in steps if step["forced"]]
    assert forced and re.fullmatch("0x[0-9a-f]{2},2024é1", whole)
    for step in forced:
        assert b"".join(tokens[i] for i in step["forced"]["ids"]).decode() == step["forced"]["text"]
        assert whole.startswith(step["text"] + step["forced"]["text"])
    assert steps[0]["forced"]["text"] == "0x" and steps[0]["packed"] == steps[0]["mask"]["words"]


def test_a_wrong_mask_and_an_unwritten_one_are_in_the_trace(course, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(with_function(solution(4), "mask_row", "return np.ones(len(args[3]), dtype=bool)"))
    first = traced(course, tmp_path, "04", "--impl", str(file))["steps"][0]
    assert len(first["differs"]["leaves"]) == 26 and first["differs"]["strikes"] == []
    file.write_text(starter(4))
    data = traced(course, tmp_path, "04", "--impl", str(file))
    assert len(data["steps"]) == 1 and data["steps"][0]["mask"] is None and data["steps"][0]["chosen"] is None
    assert "not written yet: lab 04, TODO 1" in data["steps"][0]["stop"] and "hint 04.1" in data["steps"][0]["hint"]


def test_the_page_holds_the_trace_and_asks_nobody(course, tmp_path):
    file = tmp_path / "page.html"
    assert course("show", "04", "--impl", "solution", "--html", str(file))[0] == 0
    text = file.read_text(encoding="utf-8")
    held = re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1]
    assert json.loads(held) == traced(course, tmp_path, "04", "--impl", "solution")
    assert not re.search(r'(src|href)="(?!data:)|@import|url\((?!#)|fetch\(', text.replace(held, ""))


def test_a_picture_is_drawn_beside_a_page(course, tmp_path):
    page, picture = tmp_path / "page.html", tmp_path / "picture.svg"
    options = "--impl", "solution", "--html", str(page), "--picture", str(picture)
    assert course("show", "04", *options)[0] == 0 and page.is_file() and picture.is_file()


def test_tokens_that_look_alike_have_their_ids():
    lines = Renderer(scene_of(find_lab(7)), "lab 07", "solution.py", unicode=True).lines(frames(7)[0])
    assert any("'1' #34" in line.plain for line in lines) and not any("'0' #" in line.plain for line in lines)
