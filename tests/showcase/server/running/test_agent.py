"""The agent (labs/agent): five tasks under masks, what goes wrong without them, and what it says then."""

import io
import json
import re
import socket
from itertools import islice

import jsonschema
import pytest
from rich.console import Console

from course.student.core.catalog import find_lab
from course.student.show import agent as shown
from course.student.show.agent import Told, attempt, page
from course.teaching.handout.plan import Handout
from labkit.small_model.transformer import SmallModel
from labs.agent import agent
from tests.copies import copy_course
from tests.runs import process, solution
from tests.showcase.server.conftest import served

TASK = agent.TASKS[0]


@pytest.fixture(scope="module")
def masked():
    with served(model=SmallModel.load("agent")) as address:
        yield address


@pytest.fixture(scope="module")
def unmasked():
    with served(model=SmallModel.load("final"), masked=False) as address:
        yield address


def told(task, ask):
    found = Told(task["question"])
    list(attempt(agent, task, ask, found))
    return found


def saying(*messages):
    """What asks a server that says these messages, one a turn; it notes what it was asked."""
    left = list(messages)

    def ask(asked, tools, form):
        ask.asked = json.loads(json.dumps(asked))
        return {"message": {"role": "assistant", "content": None} | left.pop(0)}

    return ask


def calling(name, /, **arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"id": "call_0", "type": "function", "function": function}]}


def test_each_task_is_solved_and_they_ask_for_every_kind_of_dialogue(masked):
    letters, kinds = {"calls": "c", "thinks": "t", "is told": "", "answers": "a", "mask": ""}, set()
    for task in agent.TASKS:
        found = told(task, agent.server(masked, temperature=0))
        assert found.solved, found
        kinds.add("".join(letters[who] for who, _ in found.lines))
    assert kinds == {"tcta", "tccta", "tctcta"}


def test_under_masks_nothing_is_parsed_in_hope(masked):
    """A hot model goes wrong, and still each call fits its tool and each answer its form."""
    for seed, task in enumerate(agent.TASKS):
        steps = []
        try:
            steps += agent.run(task, agent.server(masked, temperature=3, seed=seed))
        except agent.Unsolved as error:
            assert str(error) == f"no answer after {agent.MOST_TURNS} turns"
        for step in steps:
            if step.kind == "calls":
                name, arguments = step.text.split(" ", 1)
                tool = next(tool for tool in agent.TOOLS if tool.__name__ == name)
                jsonschema.validate(json.loads(arguments), agent.described(tool)["function"]["parameters"])
            elif step.kind == "answers":
                assert json.loads(step.text).keys() == task["form"].keys()


def test_a_call_that_nobody_can_read_is_unsolved_and_says_why():
    found = told(TASK, saying({"content": '<tool_call>{"name": "find_person", "argu'}))
    assert not found.solved and "no mask kept the model to JSON" in found.why


def test_a_model_without_masks_that_never_learnt_to_think(unmasked):
    found = told(TASK, agent.server(unmasked, masks=False, temperature=0))
    assert not found.solved and "no mask kept" in found.why


def test_a_tool_that_raises_is_told_to_the_model():
    def find_person(name: str):
        raise ZeroDivisionError("the town is empty")

    ask = saying(calling("find_person", name="Ada"), {"content": '{"name": "Ada", "job": null}'})
    steps = list(agent.run(TASK, ask, [find_person]))
    assert [step.text for step in steps if step.kind == "is told"] == ['{"error": "the town is empty"}']
    assert ask.asked[-1] == {"role": "tool", "tool_call_id": "call_0", "content": '{"error": "the town is empty"}'}


@pytest.mark.parametrize(("name", "arguments"), [("nobody", {}), ("find_person", {"age": 3})])
def test_a_call_that_fits_no_tool_is_an_error_for_the_model(name, arguments):
    steps = agent.run(TASK, saying(calling(name, **arguments)))
    assert "error" in json.loads(list(islice(steps, 3))[-1].text)


def test_it_gives_up_after_too_many_turns():
    ask = saying(*[calling("find_person", name="Ada King")] * agent.MOST_TURNS)
    with pytest.raises(agent.Unsolved, match="no answer after 4 turns"):
        list(agent.run(TASK, ask))


def test_nobody_answers():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(ValueError, match=f"no server of the course answers at {url}.*python3 -m course serve"):
        list(agent.run(TASK, agent.server(url)))


def test_another_checkpoint_is_refused_before_the_first_task(unmasked, capsys):
    """It would only write nonsense: the message says which one it is, and how to start the right one."""
    with pytest.raises(ValueError, match=r"has the checkpoint final; stop it.*serve --checkpoint agent"):
        agent.main(unmasked)
    assert capsys.readouterr().out == ""


def test_annotations_become_schemas():
    definition = agent.described(agent.get_weather)["function"]
    assert definition["name"] == "get_weather"
    assert definition["parameters"]["properties"] == {
        "city": {"type": "string"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
    }
    assert definition["parameters"]["required"] == ["city", "unit"]


@pytest.mark.parametrize("kind", [None, float, list[str], str | None])
def test_an_annotation_that_makes_no_schema_is_named(kind):
    def tool(item):
        """Return what it is given."""

    if kind is not None:
        tool.__annotations__["item"] = kind
    with pytest.raises(ValueError, match="annotate item of the tool tool with str, int or a Literal"):
        agent.described(tool)


def test_a_task_that_lacks_something_is_named(monkeypatch):
    monkeypatch.setattr(agent, "TASKS", [{"question": "?", "form": {}}])
    with pytest.raises(ValueError, match=r"task 1 of labs/agent/tasks.toml has no answer"):
        shown.the_agent("solution")


def test_the_page_escapes_and_asks_no_other_host():
    found = Told("<b>?", [("thinks", "a & b"), ("calls", "f {}"), ("answers", "{}")], why="right is <1>")
    text = page([found])
    assert "&lt;b&gt;?" in text and "a &amp; b" in text and "<b>?" not in text
    assert not re.search(r"https?://|src=", text) and 'class="not-solved">right is &lt;1&gt;' in text


def test_the_score_counts_solved_attempts_and_missing_answers(monkeypatch):
    def attempts(agent, checkpoint, impl, masks):
        good, bad, none = Told("?", solved=True), Told("?", why="right is {}"), Told("?", gave_up=True, why="no mask")
        return [[good], [good, bad], [good, good, none]] if masks else [[none], [none, bad], [good]]

    monkeypatch.setattr(shown, "attempts", attempts)
    console = Console(record=True, width=150, file=io.StringIO())
    assert shown.score_agent(console, "solution") == 0
    text = console.export_text()
    assert "at 0, of 5" in text and "at 1.5, of 100" in text and "final.npz, without masks: ? no mask" in text
    assert re.search(r"agent.npz, with masks +1 +1 +2 +1 *\n", text)
    assert re.search(r"agent.npz, without masks +0 +0 +1 +2 *\n", text)


def test_the_students_own_masks(tmp_path):
    """Lab 11 as the student has it: with a TODO open it is named, and finished it answers."""
    copy = copy_course(tmp_path / "copy", "requirements.txt", "requirements", "constraints.txt")
    path = copy / find_lab(11).path / "starter.py"
    pristine = path.read_text(encoding="utf-8")
    path.write_text(pristine + "\n", encoding="utf-8")
    _, said = process(copy, "-m", "course", "show", "agent")
    assert "NotImplementedError" in said and "lab 11, TODO" in said
    path.write_text(solution(11) + "\n", encoding="utf-8")
    status, said = process(copy, "-m", "course", "show", "agent", "--html", str(copy / "page.html"))
    assert status == 0 and "5 of 5 tasks solved" in said and re.search(r"^ran: your 11 \(\d+ functions\); ", said, re.M)
    assert (copy / "page.html").read_text(encoding="utf-8").count("<section>") == len(agent.TASKS)


def test_it_comes_with_lab_11():
    assert Handout("closed", 11).holds("labs/agent/agent.py") and Handout("open", 15).holds("labs/agent/README.md")
    assert not any(Handout("open", 10).holds(f"labs/agent/{name}") for name in ("agent.py", "README.md", "town.toml"))
