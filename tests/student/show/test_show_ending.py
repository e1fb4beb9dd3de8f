"""How ``course show`` ends: each lab's idea on the small model, the work of a mask, and the picture of both."""

import io
import json
import re
import shlex

import pytest
import regex
from rich.console import Console

from course.student.core.catalog import all_labs, find_lab
from course.student.core.hints import lab_data
from course.student.core.submission import Loader
from course.student.show import ending, run_show, scene_of
from course.student.show.frames import StudentFile
from labkit.pictures import Svg
from labkit.scenes.work import GRAMMAR, PREFIX, work_of
from labkit.vocabulary import Vocabulary
from tests.labkit.pictures.svg import escapes_in, groups, root_of, texts_in
from tests.runs import solution, starter, with_function, without

TEXTS = ["0", "1f", "ff", "f0x", "xf", "fé", "f", "ab", " a", "abc", "a b", "x", "é"]
VOCABULARY = Vocabulary([*(text.encode() for text in TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(TEXTS) + 1)
HEX = "[0-9a-f]"


def counted(number, folder, source=None):
    """The work of a mask that a file with this text makes; the reference where there is no text."""
    lab = find_lab(number)
    (folder / "mine.py").write_text(source or solution(number), encoding="utf-8")
    file = StudentFile(lab, Loader({number: folder / "mine.py"}))
    return work_of(scene_of(lab).steps(file.function, GRAMMAR, VOCABULARY))


def lines_of(number, impl="solution", **choices):
    """The lines of a lab's ending, those that continue one joined to it."""
    said = shown(number, impl=impl, **choices).partition(" on a real model")[2]
    heading, _, body = said.partition("\n\n")
    return heading, body.replace("\n    ", " ").splitlines()


CHAIRS = {"item": "chair", "quantity": 3, "customer": "Ben King", "city": "Oslo"}
SHOWN = {
    1: "mask: '#ee82ee', a match",
    2: "mask: '#ff7f50', a match",
    3: "mask: '#808000', a match",
    4: "mask: '+49 30 1234567', a match",
    5: "budget: 'The writer lost a brown.', a match",
    6: "mask: '2032-07-02', a match",
    7: "mask: 'Zoë Müller lives in Malmö.', a match",
    8: f"mask: {json.dumps(CHAIRS)!r}, a match",
    9: "  steps 4 to 9: '2032-07-02', a match",
    10: f"answer: {json.dumps(CHAIRS)}",
    11: 'convert_money(amount=891, source="EUR", target="GBP")]\', the calls that were asked for',
    12: '"folders": [{"name": "test", "folders": [{"name": "tools", "folders": []}]}, {"name": "code", "folders": []}, '
    '{"name": "build", "folders": []}]}\', a match',
    13: "adaptive:  no 99%, yes 1%, off by 1%",
    14: "early:      6 passes, 24 tokens, the same text",
    15: "  '+49 30 1234567', a match",
}
"""What each prompt asks for, in the right form: the facts are checked by hand, and a person would accept the answer."""

NUMBERS = [lab.number for lab in all_labs() if (lab.folder / "scene.py").is_file()]


IDEAS = {
    **dict.fromkeys((1, 2, 3, 7), "The work of a mask"),
    4: "EOS legal",
    5: "within the budget",
    6: "The automaton after '2032-07-02'",
    8: '    "item": {"type": "string"},'.ljust(60) + '"item": "chair",',
    10: "The model's passes for one record",
    12: "The stack of the tree, token by token",
    13: "Fair, masked, and what undoes the mask, in percent",
    14: "The model's passes for one order, by drafter",
    15: SHOWN[15],
}


@pytest.fixture(scope="module")
def endings(tmp_path_factory):
    """The lines of each lab's ending, and its picture."""
    file, found = tmp_path_factory.mktemp("pictures") / "drawn.svg", {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ending, "vocabularies", lambda: (VOCABULARY,))
        for number in NUMBERS:
            _, lines = lines_of(number, picture=file)
            found[number] = lines, file.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_an_ending_shows_success_and_fits_its_prompt_and_its_picture_the_labs_own_idea(endings, number):
    lines, drawn = endings[number]
    assert any(SHOWN[number] in line for line in lines), lines
    answers = [line for line in lines if re.search(", (a match|no match|malformed|the calls)", line)]
    assert all("no match" not in line or line.startswith(("no mask: ", "mask: ")) for line in answers), lines
    if number not in (9, 10, 13, 14, 15):  # these compare something else than a free answer with a masked one
        free = next(line for line in answers if line.startswith("no mask: "))
        assert free.endswith((", no match", ", malformed", "cut off"))
    assert not any("not written" in line or "Error" in line for line in lines), lines
    texts = texts_in(root_of(Svg(drawn, "")))
    assert escapes_in(drawn) == [] and IDEAS.get(number, texts[0]) in texts
    assert not any("The work of a mask" in text for text in texts) or number in (1, 2, 3, 7)


def test_the_milestone_of_lab_06_asks_for_what_its_pattern_matches(course, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    command = shlex.split(lab_data(find_lab(6)).milestones[0]["command"])
    status, said, _ = course(*command, "--impl", "solution")
    drawn = (tmp_path / command[-1]).read_text(encoding="utf-8")
    assert status == 0 and "\nmask: '#ee82ee', a match\n" in said and "own prompt" not in said
    assert "The automaton after '#ee82ee'" in texts_in(root_of(Svg(drawn, ""))) and not escapes_in(drawn)
    assert [group.get("data-state") for group in groups(Svg(drawn, ""), "current")] == ["7"]


def test_policies_of_jumping_save_passes_and_a_late_grammar_keeps_nobody_waiting(endings):
    passes = {line.split()[0]: int(re.search(r"(\d+) passes", line)[1]) for line in endings[10][0] if "passes" in line}
    assert passes.keys() == {"no", "single", "longest", "whole"} and passes["single"] <= passes["no"]
    assert passes["longest"] <= 15 < 20 < passes["no"] and passes["whole"] <= 15
    steps = [[*map(int, re.findall(r"steps (\d+) to (\d+)", line)[0])] for line in endings[9][0] if "steps" in line]
    assert [began for began, _ in steps] == [1, 1, 4] and steps[0][1] > steps[2][1] > steps[2][0]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_pristine_starter_is_told_kindly_what_is_missing(tmp_path, number):
    (tmp_path / "mine.py").write_text(starter(number), encoding="utf-8")
    heading, lines = lines_of(number, str(tmp_path / "mine.py"))
    assert "Not yet: your own functions will do this here, once they are written." in lines and len(heading) > 10
    assert f"not written yet: lab {number:02}, TODO " in lines[-2]
    assert re.fullmatch(rf"hint: python3 -m course hint {number:02}\.\d+", lines[-1])


UNWRITTEN = 'raise NotImplementedError("lab {} (about 6 lines): x")'
ALL_ONES = "return np.ones(len(args[3]), dtype=np.bool_)"


@pytest.mark.parametrize(
    ("number", "source", "said"),
    [
        (4, with_function(solution(4), "mask_row", ALL_ONES), "^mask: .*, no match$"),
        (
            5,
            with_function(solution(5), "tokens_to_accept", UNWRITTEN.format("05, TODO 4")),
            "^mask: 'The writer lost a brown stool', no match: cut off\n"
            "12 tokens were written, and your finish_reason is 'length'\\Z",
        ),
        (
            10,
            with_function(solution(10), "retokenized", UNWRITTEN.format("10, TODO 5")),
            r"^longest   14 passes(.|\n)*hint 10\.5\Z",
        ),
        (15, without(15, range(6, 8)), f"{re.escape(SHOWN[15])}.*\n.*the host sends 384 bytes of masks at each step"),
    ],
)
def test_a_file_that_is_half_right_shows_what_it_has(tmp_path, number, source, said):
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    _, lines = lines_of(number, str(tmp_path / "mine.py"))
    assert re.search(said, "\n".join(lines), re.M), lines


def to_run(lab):
    """Return the TODOs that a page teaches before it says "Now run it", and the blocks of code up to the next."""
    page = (lab.folder / "README.md").read_text(encoding="utf-8")
    before, _, after = page.partition("**Now run it.**")
    taught = [int(number) for number in re.findall(r"^#{3} TODO (\d+)", before, re.M)]
    return taught, re.findall(r"```\n(.+?)\n```", re.split(r"\n##+ ", after)[0], re.S)


RUNS = [lab for lab in all_labs() if "".join(to_run(lab)[1][:1]).startswith(f"python3 -m course show {lab.number:02}")]


@pytest.mark.parametrize("lab", RUNS, ids=lambda lab: lab.label)
def test_what_a_page_says_to_run_runs_by_then_and_prints_what_the_page_quotes(course, tmp_path, lab):
    taught, (command, *quoted) = to_run(lab)
    (tmp_path / "mine.py").write_text(without(lab.number, {*lab_data(lab).todos} - {*taught}), encoding="utf-8")
    status, said, _ = course(*shlex.split(command)[3:], "--impl", str(tmp_path / "mine.py"))
    joined = said.replace("\n    ", " ")  # what is wrapped is joined
    assert status == 0 and taught and re.search(r"the mask leaves \d+ of \d+ tokens", said)
    missing = {line for block in quoted for line in block.splitlines()} - {*said.splitlines(), *joined.splitlines()}
    assert not missing, said


OWN = re.compile(r"^## A task of your own\n(.*?)^## ", re.M | re.S)


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
def test_a_task_of_ones_own_gives_a_picture_to_show_around(course, monkeypatch, tmp_path, lab):
    """Each page's command as it stands: whatever the model writes is valid so far, and each token has its box."""
    monkeypatch.chdir(tmp_path)
    (section,) = OWN.findall((lab.folder / "README.md").read_text(encoding="utf-8"))
    commands = re.findall(r"^```\npython3 -m course (show .+?)\n```$", section, re.M | re.S)
    assert commands and len(section.split()) > 40
    for command in commands:
        words = shlex.split(command.replace("\\\n", " "))
        assert words[1] == f"{lab.number:02}" and "--pattern" in words
        status, said, _ = course(*words, "--impl", "solution")
        drawn = Svg((tmp_path / words[words.index("--picture") + 1]).read_text(encoding="utf-8"), "")
        assert status == 0 and not re.search("^(wrong|differs) ", said, re.M) and not escapes_in(str(drawn))
        boxes = groups(drawn, "allowed")
        assert {"struck", "written"} <= {*texts_in(root_of(drawn))} and len(boxes) == said.count("\nchosen ")


def test_the_page_of_lab_03_quotes_its_ending(endings):
    page = (find_lab(3).folder / "README.md").read_text(encoding="utf-8")
    quoted = re.search(r"```\n(mask: .+?)\n```", page, re.S)[1].splitlines()
    assert len(quoted) == 3 and not {*quoted} - {*endings[3][0]}


def test_a_loop_ends_the_ending(tmp_path, monkeypatch):
    monkeypatch.setattr(ending, "SECONDS", 0.3)
    looping = with_function(solution(1), "build_mask", "while True: pass")
    (tmp_path / "mine.py").write_text(looping, encoding="utf-8")
    monkeypatch.setattr("course.student.show.frames.TIMEOUT", 0.2)
    _, lines = lines_of(1, str(tmp_path / "mine.py"))
    assert "stopped after 0.3 s of processor time, still running" in lines[-1]


def test_a_pattern_alone_has_no_ending_and_without_a_reference_ones_own_is_not_judged(monkeypatch):
    for choices in ({"model_name": "digits"}, {"grammar": "[0-9]+"}):
        assert "on a real model" not in shown(4, impl="solution", **choices)
    monkeypatch.setattr("labkit.scenes.scene.has_reference", lambda lab: False)
    _, lines = lines_of(7, model_name="small", grammar="[0-9]+")
    hint = "(That's this lab's own prompt. With --prompt you ask for something that fits your pattern.)"
    assert [line.partition(":")[0] for line in lines] == ["prompt", hint, "no mask", "mask", "not judged"]
    assert not any("match" in line for line in lines)


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
        assert counted(number, tmp_path) == (len(VOCABULARY), work), number
    tokens = [token for i, token in enumerate(VOCABULARY.token_bytes) if i not in VOCABULARY.special_ids]
    starts = {(token[:n], token[: n + 1]) for token in tokens for n in range(len(token))}
    steps = {edge for before, edge in starts if regex.fullmatch(f"{HEX}*".encode(), before)}
    assert counted(7, tmp_path) == (len(VOCABULARY), len(steps))
    # going through a whole row costs its length
    slow = "return {t: 1 for t in range(len(TEXTS)) if all(c in list(args[0].transitions[3]) for c in TEXTS[t])}"
    through = with_function(solution(3), "walk_trie", slow) + f"\nTEXTS = {TEXTS!r}\n"
    assert counted(3, tmp_path, through)[1] > 16 * len(TEXTS)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return np.zeros(len(args[0]), dtype=np.bool_)", r"wrong on 15 tokens"),
        (f"return np.array([bool(t and regex.fullmatch('{HEX}*', t)) for t in args[0]])", "nothing was looked up"),
    ],
)
def test_a_mask_that_is_wrong_or_counts_nothing_is_refused(tmp_path, body, said):
    with pytest.raises(AssertionError, match=said):
        counted(1, tmp_path, with_function(solution(1), "build_mask", body))


def shown(number, **choices):
    out = io.StringIO()
    assert run_show(find_lab(number), Console(file=out, width=120), **choices) == 0
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
    assert 'no mask: \'Sure! Here is the JSON:\\n{"name": "test", "city": "Istanbul"}\', no match' in texts
    assert "mask: '#ee82ee', a match" in texts
    assert len(groups(drawn, "series")) == 1 and "lab 01: characters" in texts
    left_out = [text for text in texts if "left out" in text]
    assert left_out == [
        "lab 02 is left out: mask: not written yet: lab 02, TODO 2",
        "lab 03 is left out: mask: wrong on 15 tokens",
        "lab 07 is left out: no file of it is under test",
    ]


@pytest.mark.parametrize(
    ("number", "earlier", "function"),
    [(6, 4, "choose"), (7, 6, "compile_dfa"), (3, 2, "compile_pattern"), (4, 2, "compile_pattern")],
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
