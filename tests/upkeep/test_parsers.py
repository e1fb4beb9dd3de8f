"""What ``upstream parsers`` gives to parsers, and how it counts; the parsers themselves are no part of the course."""

import io

import pytest
from rich.console import Console

from course.upkeep.parsers import TOOLS, answers, check, counted
from labs.lab_11_tool_calls.given.formats import FORMATS
from labs.lab_11_tool_calls.given.parsing import parse

ROW = FORMATS["mistral_v13"]


@pytest.mark.parametrize("name", ["lfm2", "mistral_v13"])
def test_answers_have_one_call_or_several(name):
    for several in (False, True):
        texts = answers(FORMATS[name], several)
        assert all((len(parse(FORMATS[name], next(texts), TOOLS)[1]) > 1) == several for _ in range(5))
    assert list(answers(FORMATS["llama3_python_tag"], several=True)) == []


def test_how_answers_are_counted():
    """Those that are read as the lab reads them, those that are but for white space at the ends, and no others."""
    texts = [f'[TOOL_CALLS]tag_photo[ARGS]{{"name": "{name}", "tags": []}}' for name in ("a b", " a", "x")]

    def trimming(text):
        ((name, arguments),) = parse(ROW, text, TOOLS)[1]
        if arguments["name"] == "x":
            raise KeyError(name)
        return [(name, arguments | {"name": arguments["name"].strip()})]

    assert (
        counted(ROW, {"": lambda text: parse(ROW, text, TOOLS)[1], "trimmed ": trimming}, texts) == "3, trimmed 1 + 1w"
    )
    assert counted(ROW, {}, texts) == "-"


def test_a_folder_without_parsers_is_refused(tmp_path):
    with pytest.raises(ValueError, match="has no folder sglang or vllm"):
        check(tmp_path, Console(file=io.StringIO()))
