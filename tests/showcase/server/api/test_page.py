"""The examples of the page about OpenAI's client, run against a server; those of clients that are installed."""

import ast
import re
from importlib.util import find_spec

import pytest

from course.student.core.catalog import ROOT

PAGE = (ROOT / "book/pages/openai.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^## (.+)\n(?:(?!^## |^```python).*\n)*```python\n((?s:.*?))^```$", PAGE, re.M))
ADDRESS = "http://127.0.0.1:8000"


def packages(code):
    """The packages that an example imports."""
    found = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in found]
    return {name.partition(".")[0] for name in names}


def is_person(found):
    return isinstance(found["ada"].name, str) and isinstance(found["ada"].age, int)


CHECKS = {
    "Chat": lambda found: found["answer"].choices[0].message.content,
    "Streaming": lambda found: found["text"] and found["usage"].completion_tokens > 0,
    "A strict schema": lambda found: re.fullmatch(r'\{"name":"[^"]*","age":-?\d+(\.0+)?\}', found["compact"]),
    "Parsed answers": is_person,
    "Responses": lambda found: found["response"].output_text and is_person(found),
    "A pattern, a choice, a grammar": lambda found: (
        re.fullmatch("#[0-9a-f]{6}", found["colour"].choices[0].message.content)
        and found["verdict"].choices[0].message.content in ("yes", "no")
    ),
    "Several answers, and which tokens they prefer": lambda found: (
        [choice.index for choice in found["several"].choices] == [0, 1, 2]
    ),
    "What the mask took": lambda found: found["cost"]["tokens"] == len(found["logprobs"].content),
    "Parts of the JSON as they come": lambda found: (
        found["events"][1] == {"pointer": "/name", "event": "begin"} and isinstance(found["ended"]["/age"], int)
    ),
    "Tools": lambda found: found["call"].function.name == "get_weather" and "city" in found["arguments"],
    "LangChain": is_person,
    "litellm": is_person,
    "instructor": is_person,
    "outlines": lambda found: is_person(found) and found["verdict"] in ("yes", "no"),
    "guidance": lambda found: re.fullmatch(r"(?s)\{.*\}", found["ada"]),
}
INSTALLED = [name for name, code in EXAMPLES.items() if all(map(find_spec, packages(code)))]


def test_each_example_is_checked_and_openais_are_run():
    assert EXAMPLES.keys() == CHECKS.keys()
    others = {"LangChain", "litellm", "instructor", "outlines", "guidance"}
    assert {*INSTALLED} >= EXAMPLES.keys() - others


@pytest.mark.parametrize("name", INSTALLED)
def test_an_example_does_what_the_page_says(server, capsys, name):
    found = {}
    before = {"Chat": [], "Responses": ["Chat", "Parsed answers"]}.get(name, ["Chat"])
    for code in [EXAMPLES[each] for each in [*before, name]]:
        assert ADDRESS in EXAMPLES["Chat"]
        exec(compile(code.replace(ADDRESS, server), name, "exec"), found)
    assert CHECKS[name](found) and capsys.readouterr().out.count("\n") >= 1


def test_the_page_names_the_limit_and_the_metrics(server):
    from course.showcase.server.protocol import MAX_CHOICES
    from tests.showcase.server.wire import HTTP

    assert f"up to {MAX_CHOICES} choices" in PAGE and f"`n` above {MAX_CHOICES}" in PAGE
    page = HTTP.get(server + "/metrics").text
    for name in re.findall(r"`(course_\w+)`", PAGE):
        assert f"# TYPE {name} " in page
