"""``python3 -m course show``: each lab's mask, on a terminal and on paper, and what a broken file shows."""

import io
import re

import numpy as np
import pytest
import regex
from rich.console import Console

from course.student.core.catalog import all_labs, find_lab
from course.student.core.submission import Loader
from course.student.show import run_show, scene_of
from course.student.show.frames import Show, StudentFile
from labkit.scenes import VOCABULARY
from labkit.scenes.scene import MODELS
from labkit.vocabulary import Vocabulary
from tests.runs import solution, starter, with_function

NUMBERS = pytest.mark.parametrize("number", [lab.number for lab in all_labs() if (lab.folder / "scene.py").is_file()])
ALL_ONES = "return np.ones(len(args[3]), dtype=np.bool_)"


def shown(number, *, file=None, **choices):
    """What the steps of a show print, one below the other; it always ends well."""
    if "prompt" not in choices:  # an ending on the real model has its own tests
        choices["model_name"] = choices.get("model_name") or scene_of(find_lab(number)).model_name
    out = file or io.StringIO()
    assert run_show(find_lab(number), Console(file=out, width=80), **choices) == 0
    return "" if file else out.getvalue()


def broken(folder, source, number=4, **choices):
    """What is shown of a file with this text."""
    (folder / "mine.py").write_text(source, encoding="utf-8")
    return shown(number, impl=str(folder / "mine.py"), **choices)


def frames(number, **choices):
    """The frames of the reference."""
    lab = find_lab(number)
    return list(Show(scene_of(lab, **choices), StudentFile(lab, Loader({number: lab.solution}))).frames())


# Paper ------------------------------------------------------------------------------------------------


@NUMBERS
def test_no_line_is_wider_than_80_columns_and_an_ascii_console_gets_ascii(number):
    """The seed is one whose texts are long, and no lab's budget takes long to keep."""
    text = shown(number, impl="solution", seed=3, model_name="random", max_tokens=60)
    assert max(map(len, text.splitlines())) <= 80 and text.count("the model wants") > 1 and "█" in text
    out = io.TextIOWrapper(raw := io.BytesIO(), encoding="ascii", errors="strict")
    shown(number, file=out, impl="solution", model_name="digits")
    out.flush()
    text = raw.getvalue().decode("ascii")
    assert f"lab {number:02} | solution.py | " in text and "####" in text and max(map(len, text.splitlines())) <= 80


def test_a_wide_heading_is_cut_and_a_long_schema_has_three_lines():
    wide = shown(4, impl="solution", grammar="0[世界]+" + "x[世界]+" * 30).splitlines()[0]
    assert "..." in wide and len(wide) < 80
    lines = shown(8, impl="solution", grammar=f'{{"enum": {[*range(100)]}}}').splitlines()
    assert lines[2].startswith("schema") and lines[4].endswith(" ...") and lines[5].startswith("text")


@pytest.mark.parametrize("no_color", ["", "1"])
def test_a_terminal_gets_colours_unless_it_wants_none(monkeypatch, no_color):
    monkeypatch.setenv("NO_COLOR", no_color)
    lab, out = find_lab(4), io.StringIO()
    assert (
        run_show(
            lab, Console(file=out, force_terminal=True, color_system="standard"), "solution", model_name="adversary"
        )
        == 0
    )
    assert ("\x1b[9;31m" in out.getvalue()) != bool(no_color)  # struck in red


STEP = """\
lab 05 · solution.py · [0-9]+\\.[0-9]+ · digits, seed 1 · step 1 of at most 8

text      ''
state     0
EOS       not legal
budget    remaining: 8; tokens to accept from here: 2, and EOS

                the model wants               the mask leaves 7 of 28 tokens
> '7'            22.5% ████▌                  22.6% ████▌
  '0'            21.4% ████▎                  21.5% ████▎
  '2'            16.9% ███▍                   17.0% ███▍
  '42'           16.1% ███▎                   16.1% ███▎
  '2024'         15.3% ███                    15.3% ███▏

chosen    '7' by u = 0.512; next: state 1
"""


def test_a_step_on_paper():
    """The shares are those of the model's logits, by plain floats, among all tokens and among those of the mask."""
    first = frames(5, model_name="digits", seed=1)[0]
    weights = np.exp(first.logits.astype(float))
    among = [weights / weights.sum(), np.where(first.mask, weights, 0) / weights[first.mask].sum()]
    assert [f"{each[VOCABULARY.texts().index('7')]:.1%}" for each in among] == ["22.5%", "22.6%"]
    assert shown(5, impl="solution", model_name="digits", seed=1).startswith(STEP)


# What the frames say ----------------------------------------------------------------------------------


HEX = r"[0-9a-f]+x\.[0-9]+"
LAB_06_ONLY = [(r"é+|\d{2,3}|0x(\w\w)*", "random"), ("(q|@)?7", "digits"), (r"[^\W\d_]+ the", "adversary")]


@pytest.mark.parametrize(
    ("number", "pattern", "model"),
    [
        *((number, HEX, model) for number in (1, 2, 3, 4, 6) for model in MODELS),
        *((6, pattern, model) for pattern, model in LAB_06_ONLY),
    ],
)
def test_the_masks_are_those_of_the_regex_engine(number, pattern, model):
    seen = frames(number, grammar=pattern, model_name=model, seed=3)
    vocabulary = Vocabulary.small() if model == "small" else VOCABULARY
    assert len(seen) > 1
    for frame in seen:
        texts = vocabulary.texts()
        wanted = [bool(t) and regex.fullmatch(pattern, frame.text + t, partial=True) is not None for t in texts]
        wanted[vocabulary.eos_id] = number in (4, 6) and re.fullmatch(pattern, frame.text) is not None
        assert frame.mask.tolist() == wanted and wanted[frame.chosen]
        assert np.flatnonzero(np.isfinite(frame.masked)).tolist() == np.flatnonzero(frame.mask).tolist()


def test_the_small_model_answers_a_prompt_with_the_mask_and_without(course):
    status, said, _ = course("show", "01", "--impl", "solution", "--prompt", "Hex code of violet?")
    assert status == 0 and said.count("no mask   '#ee82ee'") == said.count("prompt    Hex code of violet?") == 7
    assert "the mask leaves no token: nothing can follow '#ee82ee'" in said and "mask: '#ee82ee', a match" in said
    _, said, _ = course("show", "01", "--impl", "solution", "--model", "small", "--pattern", "0x[0-9a-f]+")
    assert re.search(r"8 tokens are spent: '0x[0-9a-f]+' is a match", said)


ARRAY = '{"type": "array", "items": {"enum": ["low", "high"]}}'


@pytest.mark.parametrize(
    ("number", "grammar", "model_name", "said"),
    [
        (1, "0x", None, "the mask leaves no token: nothing can follow '0x'"),
        (4, r"[0-9]+\.[0-9]+", "digits", "' is a prefix of a match, cut off"),
        (6, "(a|b)*", "digits", "note an NFA of 9 states, a DFA of 2, and of 1 when it is minimal"),
        (8, ARRAY, "random", f"schema {ARRAY} text '['"),
        (8, '{"enum": ["ja", "nein"]}', None, "after '\"' comes 'j' or 'n', and none of the scene's 32 tokens"),
        (8, '{"enum": ["ja", "nein"]}', None, "an automaton of 8 states"),
        (8, '{"enum": []}', None, "the mask leaves no token: no value satisfies the schema"),
        (8, '{"enum": []}', None, "an automaton of 1 state end"),
    ],
)
def test_another_grammar_can_be_played(number, grammar, model_name, said):
    assert said in " ".join(shown(number, impl="solution", grammar=grammar, model_name=model_name).split())


# Not written yet --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "todo"), [(1, 2), (2, 2), (3, 2), (4, 1), (5, 1), (6, 2), (7, 4), (8, 4)])
def test_a_pristine_starter_stops_at_its_todo(tmp_path, number, todo):
    text = broken(tmp_path, starter(number), number)
    words = " ".join(text.split())
    assert "the model wants" in text and "█" in text and "step 2" not in text and "struck" not in text
    assert f"not written yet: lab {number:02}, TODO {todo} (about " in words
    assert text.splitlines()[-1] == f"hint: python3 -m course hint {number:02}.{todo}"


def test_lab_02_lends_its_automaton_until_there_is_one(tmp_path):
    half = with_function(solution(2), "compile_pattern", 'raise NotImplementedError("lab 02, TODO 6")')
    text = broken(tmp_path, half, 2)
    assert "the automaton is the reference's" in text and "step 8" in text
    assert "the automaton is the reference's" not in shown(2, impl="solution")


def test_lab_06_shows_how_far_the_compiler_has_come(tmp_path):
    larger = with_function(solution(6), "minimize_dfa", 'raise NotImplementedError("lab 06, TODO 7")')
    text = " ".join(broken(tmp_path, larger, 6).split())
    assert "a DFA of 5; not minimal until minimize_dfa is written" in text and "state 0 of 0 to 4" in text
    assert "end EOS:" in text
    uncut = with_function(solution(6), "nfa_to_dfa", 'raise NotImplementedError("lab 06, TODO 5 (about 6 lines): x")')
    text = broken(tmp_path, uncut, 6)
    assert "the automaton: not written yet: lab 06, TODO 5" in text and "hint 06.5" in text


# Wrong ------------------------------------------------------------------------------------------------


MASK, MINE = "what the mask leaves: ", r"mine\.py:\d+"
DEAD = "wrong the reference automaton is dead here: state "
DIFFERS = "differs yours leaves '1', '2', '7', 'a' and 22 more; the reference does not"
ONLY_EOS = "return np.arange(len(args[3])) == args[3].eos_id"
ONLY_HALF = f"return np.arange(len(args[0])) == {VOCABULARY.eos_id - 1}"
LOOSE_COMMA = (
    "parts = [optional(row(optional(char(',')), one)) for one, _ in args[0]]; return row(char('{'), *parts, char('}'))"
)
CIRCLE = "repeat, after, state = args; return [state(repeat.body, state(repeat, after)), after]"


@pytest.mark.parametrize(
    ("number", "function", "body", "said"),
    [
        (4, "mask_row", ALL_ONES, rf"leaves 28 of 28 .*{DIFFERS} .*{DEAD}0 --'.'--> dead"),
        (4, "mask_logits", "return args[0]", "struck but.* wrong "),
        (4, "mask_row", f'print("see\\x1b[2Jme", 1); {ALL_ONES}', r"\Alab 04.* printed see\\x1b\[2Jme 1"),
        (1, "build_mask", ONLY_HALF, "wrong this token has no text, and is never legal"),
        (4, "mask_row", ONLY_EOS, "wrong EOS is not legal here: '' is no match"),
        (6, "fullmatch", "return True", "wrong EOS is not legal here: '.*end the text has left the language"),
        (6, "unfold_repeat", CIRCLE, DEAD),
        (8, "object_tree", LOOSE_COMMA, f"{DEAD}1 --','--> dead"),
        (
            4,
            "mask_row",
            "return 1 / 0",
            f"{MASK}ZeroDivisionError: division by zero, at {MINE} in mask_row: return 1 /",
        ),
        (4, "mask_row", "return [True]", rf"{MASK}mask_row \({MINE}\) must give .* bool\[28\]; yours gave list"),
        (4, "mask_row", "raise SystemExit", f"{MASK}SystemExit, at {MINE} in mask_row"),
        (4, "mask_row", "return mask_row(*args)", f"{MASK}RecursionError: .*, at {MINE} in mask_row"),
        (4, "choose", "return 28", rf"the choice: choose \({MINE}\) gave 28; the ids are 0 to 27"),
    ],
)
def test_a_wrong_function_is_shown_at_its_work(tmp_path, number, function, body, said):
    choices = {CIRCLE: {"grammar": "0x[0-9]{2}", "model_name": "digits"}, ALL_ONES: {"seed": 5}}.get(body, {})
    text = broken(tmp_path, with_function(solution(number), function, body), number, **choices)
    assert re.search(said, " ".join(text.split())), text


def test_an_endless_loop_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("course.student.show.frames.TIMEOUT", 0.2)
    text = " ".join(broken(tmp_path, with_function(solution(4), "mask_row", "while True: pass")).split())
    assert re.search(
        r"stopped after 0\.2 s of processor time, still running at mine\.py:\d+ in mask_row: while True", text
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(:\n", "your file: SyntaxError: invalid syntax, at mine.py:1"),
        ("import nothing_of_the_sort\n", "your file: ModuleNotFoundError: No module named"),
        ("x = 1\n", "what the mask leaves: mine.py has no function mask_row"),
    ],
)
def test_a_file_that_does_not_load(tmp_path, source, said):
    text = broken(tmp_path, source)
    assert said in text and "the model wants" in text


# Refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("04", "--pattern", "a|b"), "the choice '|', at position 1 of 'a|b'"),
        (("02", "--pattern", "[0-9]+[0-9]"), "both take '0'"),
        (("01", "--pattern", "(é"), r"'(\xe9' is no regular expression: missing )"),
        (("05", "--max-tokens", "2"), "a budget of 2 tokens is too small: a match needs 3"),
        (("05", "--pattern", "z"), "no budget suffices"),
        (("06", "--pattern", "a(?=b)"), "the lookahead (?=...) is not supported, at position 1 of 'a(?=b)'"),
        (
            ("06", "--pattern", "(a|b)*a(a|b){20}"),
            "the automaton under construction has too many states; the limit is 70,000",
        ),
        (("08", "--pattern", '{"type":'), "'{\"type\":' is no JSON: Expecting value"),
        (("08", "--pattern", '{"type": "strin"}'), "unknown type 'strin'"),
        (("08", "--pattern", '{"not": {}}'), "the keyword 'not' is not supported here, at /not"),
        (("04", "--model", "gpt"), "there is no model 'gpt'; the models are adversary, digits, random"),
        (("99",), "there is no lab '99'"),
        (("04", "--impl", "startre"), "--impl='startre' is not one of these"),
    ],
)
def test_what_is_not_to_be_had_is_an_error(course, arguments, said):
    code, out, err = course("show", *arguments)
    assert (code, out) == (2, "") and err.startswith("error: ") and said in err
    assert err.count("\n") == 1 or "--impl" in arguments


def test_the_command_prints_the_steps_and_an_ending(course):
    code, out, err = course("show", "04", "--impl", "solution", "--seed", "1")
    steps = shown(4, impl="solution", seed=1)
    assert (code, err) == (0, "") and out.startswith(steps) and "step 2" in out and "on a real model" not in steps
    assert out.removeprefix(steps).startswith("\nlab 04, solution.py on a real model: ")
