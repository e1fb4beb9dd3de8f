"""How ``course show`` ends on the small model: answers and tokens saved, the work of a mask, the picture of both."""

import io
import re

import pytest
import regex
from rich.console import Console

from course.student.core.catalog import find_lab
from course.student.core.submission import Loader
from course.student.show import ending, run_show, scene_of
from course.student.show.frames import StudentFile
from labkit.pictures import Svg
from labkit.scenes.before_after import answer_both
from labkit.scenes.work import GRAMMAR, PREFIX, work_of
from labkit.vocabulary import Vocabulary
from tests.labkit.pictures.svg import groups, root_of, texts_in
from tests.runs import solution, starter, with_function

TEXTS = ["0", "1f", "ff", "f0x", "xf", "fé", "f", "ab", " a", "abc", "a b", "x", "é"]
VOCABULARY = Vocabulary([*(text.encode() for text in TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(TEXTS) + 1)
HEX = "[0-9a-f]"


def own_file(number, folder, source=None):
    """A file with this text as a lab's file under test; the reference where there is no text."""
    lab = find_lab(number)
    if source is None:
        return StudentFile(lab, Loader({number: lab.solution}))
    (folder / "mine.py").write_text(source, encoding="utf-8")
    return StudentFile(lab, Loader({number: folder / "mine.py"}))


def answers(number, file):
    """The answers to the course's prompts, freely and under a file's masks."""
    scene = scene_of(file.lab, model_name="small")
    return answer_both(scene, lambda grammar: scene.steps(file.function, grammar, scene.vocabulary), file.asked)


@pytest.mark.parametrize("number", [1, 3, 4, 5, 6, 7])
def test_every_masked_answer_is_a_colour_and_not_every_free_one(tmp_path, number):
    pairs = answers(number, own_file(number, tmp_path))
    for answer in (answer for pair in pairs for answer in (pair.free, pair.masked)):
        assert answer.valid == (regex.fullmatch("#[0-9a-f]{6}", answer.text) is not None), answer
    assert all(pair.masked.valid for pair in pairs) and not all(pair.free.valid for pair in pairs)
    assert all(2 <= pair.masked.n_tokens <= 8 for pair in pairs)  # EOS included


def test_a_mask_that_allows_everything_saves_nothing(tmp_path):
    everything = with_function(solution(1), "build_mask", "return np.ones(len(args[0]), dtype=np.bool_)")
    pairs = answers(1, own_file(1, tmp_path, everything))
    assert [pair.masked for pair in pairs] == [pair.free for pair in pairs]


def counted(number, file):
    return work_of(scene_of(find_lab(number)).steps(file.function, GRAMMAR, VOCABULARY))


def test_the_work_is_counted(tmp_path):
    """Characters of whole texts; transitions up to the first dead one; trie edges, and a second look at live ones."""
    live = {text[:n] for text in TEXTS for n in range(len(text)) if regex.fullmatch(f"{HEX}*", text[:n])}
    edges = {text[: n + 1] for text in TEXTS for n in range(len(text)) if text[:n] in live}
    alive = [edge for edge in edges if regex.fullmatch(f"{HEX}*", edge)]
    expected = {
        1: sum(len(PREFIX + text) for text in TEXTS),
        2: sum(len(regex.match(f"{HEX}*.?", text)[0]) for text in TEXTS),
        3: len(edges) + len(alive),
    }
    for number, work in expected.items():
        assert counted(number, own_file(number, tmp_path)) == (len(VOCABULARY), work), number
    size, work = counted(7, own_file(7, tmp_path))
    assert size == len(VOCABULARY) and 2 <= work <= 4  # a hexadecimal digit or another byte, from one or two functions
    # going through a whole row costs its length
    slow = "return {t: 1 for t in range(len(TEXTS)) if all(c in list(args[0].transitions[3]) for c in TEXTS[t])}"
    through = with_function(solution(3), "walk_trie", slow) + f"\nTEXTS = {TEXTS!r}\n"
    assert counted(3, own_file(3, tmp_path, through))[1] > 16 * len(TEXTS)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return np.zeros(len(args[0]), dtype=np.bool_)", r"wrong on 15 tokens"),
        (f"return np.array([bool(t and regex.fullmatch('{HEX}*', t)) for t in args[0]])", "nothing was looked up"),
    ],
)
def test_a_mask_that_is_wrong_or_counts_nothing_is_refused(tmp_path, body, said):
    with pytest.raises(AssertionError, match=said):
        counted(1, own_file(1, tmp_path, with_function(solution(1), "build_mask", body)))


def shown(number, **choices):
    out = io.StringIO()
    assert run_show(find_lab(number), Console(file=out, width=120), plain=True, **choices) == 0
    return out.getvalue()


def test_the_picture_has_the_answers_and_the_labs_that_are_right(tmp_path, monkeypatch):
    monkeypatch.setattr(ending, "vocabularies", lambda: (VOCABULARY,))
    (tmp_path / "lab_01.py").write_text(solution(1), encoding="utf-8")
    (tmp_path / "lab_02.py").write_text(starter(2), encoding="utf-8")
    wrong = with_function(solution(3), "row_mask", "return np.ones(args[1], dtype=np.bool_)")
    (tmp_path / "lab_03.py").write_text(wrong, encoding="utf-8")
    said = shown(1, impl=str(tmp_path), picture=tmp_path / "new" / "mine.svg")
    assert f"Picture: {tmp_path / 'new' / 'mine.svg'}" in said.replace("\n", "")
    drawn = Svg((tmp_path / "new" / "mine.svg").read_text(encoding="utf-8"), "")
    texts = texts_in(root_of(drawn))
    counts = [line for line in said.splitlines() if line.startswith(("valid answers", "tokens of answers"))]
    assert len(counts) == 2 and set(counts) < set(texts)
    free, masked, saved = map(int, re.findall(r"\d+", counts[0]))
    assert masked - free == saved > 0 and masked == 24
    assert "no mask: '#ee82ee', no match" in texts
    assert [text for text in texts if re.fullmatch("mask: '0x[0-9a-f]+', a match", text)]
    assert len(groups(drawn, "series")) == 1 and "lab 01: characters" in texts
    left_out = [text for text in texts if "left out" in text]
    assert left_out == [
        "lab 02 is left out: mask: not written yet: lab 02, TODO 2",
        "lab 03 is left out: mask: wrong on 15 tokens",
        "lab 07 is left out: no file of it is under test",
    ]


def test_a_file_that_is_not_written_ends_with_what_is_missing(tmp_path):
    (tmp_path / "mine.py").write_text(starter(4), encoding="utf-8")
    said = shown(4, impl=str(tmp_path / "mine.py"), picture=tmp_path / "mine.svg")
    drawn = Svg((tmp_path / "mine.svg").read_text(encoding="utf-8"), "")
    assert not groups(drawn, "series") and sum("left out" in text for text in texts_in(root_of(drawn))) == 4
    assert "not written yet: lab 04, TODO 1" in said.partition("on a real model")[2] and "valid answers" not in said


@pytest.mark.parametrize(
    ("number", "earlier", "function"), [(6, 4, "choose"), (7, 6, "compile_dfa"), (3, 2, "compile_pattern")]
)
def test_a_chain_borrows_from_the_students_own_earlier_labs(tmp_path, monkeypatch, number, earlier, function):
    (tmp_path / f"lab_{number:02}.py").write_text(solution(number), encoding="utf-8")
    (tmp_path / f"lab_{earlier:02}.py").write_text(
        with_function(solution(earlier), function, "return 1 / 0"), encoding="utf-8"
    )
    choices = {"impl": str(tmp_path), "grammar": "0x[0-9a-f]+"}
    assert "ZeroDivisionError" not in shown(number, **choices)
    monkeypatch.setenv("LAB_CHAIN", "mine")
    assert f"at lab {earlier:02}'s lab_{earlier:02}.py" in " ".join(shown(number, **choices).split())
