"""The small model measured: counts add up, masks keep their promise, and the card has the file's figures."""

import io
from itertools import islice

import pytest
from rich.console import Console

from course.showcase.small_model import figures
from course.showcase.small_model.figures import load, run_measurement
from course.showcase.small_model.outcomes import MODES, NAMES, RAN_OUT, generator, guide_for, outcomes, request_for
from course.student.core.catalog import ROOT
from labkit.small_model.tasks import examples
from labkit.small_model.tasks.judging import judge
from labkit.small_model.tokenizer import Tokenizer

TOKENIZER = Tokenizer.load()


@pytest.fixture(scope="module")
def answered():
    prompts = list(islice(examples(17), 20))
    model = generator("early")
    return {mode: outcomes(prompts, mode, model) for mode in MODES}


def test_what_is_counted_adds_up(answered):
    for mode in MODES:
        for outcome in answered[mode]:
            verdict = judge(outcome.example.form, outcome.text)
            assert outcome.valid == verdict.valid and outcome.why in (verdict.why, RAN_OUT)
        groups = figures.by_group(answered[mode])
        for share in groups.values():
            assert share.valid + sum(share.why.values()) == share.n and share.right <= share.valid
        tasks = [share for task, share in groups.items() if task not in figures.GROUPS]
        whole = groups["all"]
        assert (whole.n, whole.valid, whole.right) == tuple(
            sum(getattr(share, name) for share in tasks) for name in ("n", "valid", "right")
        )


@pytest.mark.parametrize("each", list(islice(examples(23), 20)), ids=lambda each: each.task)
def test_the_guide_of_a_form_lets_the_right_answer_through_to_its_end(each):
    """Token by token as the model would write it, after the forced ones."""
    request = request_for(each, "budget", seed=0)
    ids = TOKENIZER.answer(each.answer)
    assert ids[: len(request.forced)] == list(request.forced)
    guide = guide_for(each.form)
    state = guide.initial
    for token_id in ids[len(request.forced) :]:
        state = guide.advance(state, token_id)
    assert guide.is_accepting(state)


def test_a_measurement_is_saved_and_read_again(tmp_path):
    out, path = io.StringIO(), tmp_path / "deep" / "figures.json"
    assert run_measurement(Console(file=out, width=100), ("early",), 6, 3, 1.0, path) == 0
    setting, tables = load(path)
    assert (setting["n"], setting["seed"], setting["temperature"]) == (6, 3, 1.0)
    assert tables == {"early": {mode: figures.measure("early", mode, 6, 3, 1.0) for mode in MODES}}
    assert all(f"{NAMES[mode]}" in out.getvalue() for mode in MODES) and str(path) in out.getvalue().replace("\n", "")


def test_the_shipped_figures_say_what_the_course_says_of_the_model():
    setting, tables = load()
    assert setting["n"] >= 500 and setting["temperature"] == 1.0 and set(tables) == {"early", "final"}
    for table in tables.values():
        free, mask, budget = (table[mode]["all"] for mode in MODES)
        assert free.n == mask.n == budget.n == setting["n"]
        assert mask.valid + mask.why.get(RAN_OUT, 0) == mask.n and budget.valid == budget.n
    final, early = tables["final"]["free"]["all"], tables["early"]["free"]["all"]
    assert 0.60 <= final.valid / final.n <= 0.95 and early.valid < final.valid and final.right < final.valid


def test_the_readme_has_the_share_of_the_file():
    setting, tables = load()
    share = tables["final"]["free"]["all"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{share.valid / share.n:.1%} of" in text and f"in {setting['n']} prompts" in text
