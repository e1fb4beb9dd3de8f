"""vLLM itself with the small model: preempted, aborted, thinking, in several processes, and under a student's files.

`make check` runs these with ``--whole``, because each of them has to start vLLM.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import jsonschema
import pytest

from labkit.engine import Engine, SamplingParams
from labkit.small_model import SmallModel
from labkit.small_model.tasks.conversations import Turn, prompt_ids
from labkit.small_model.tokenizer import Tokenizer
from mask_engine import tool_outputs
from tests.bridges.extras import needs_vllm
from tests.runs import solution

pytestmark = needs_vllm

ROOT = Path(__file__).parents[2]
ORDER = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."
WORDS = {"type": "array", "items": {"type": "string", "minLength": 3}, "minItems": 8, "maxItems": 9}
ASKED = [
    ("Hex code of violet?", {"type": "regex", "pattern": "(#[0-9a-f]{6} ){9}"}),
    (ORDER, {"type": "json_schema", "schema": WORDS}),
    (ORDER, {"type": "grammar", "grammar": 'root ::= "[" root root "]" | [0-9]'}),
    ("How warm is it in Rome?", {"type": "regex", "pattern": "[a-z ]{60}"}),
    (ORDER, {"type": "lab_04", "pattern": "[0-9][0-9]+-[0-9]"}),
]
MOST = 60


@pytest.fixture(scope="module")
def folders():
    from bridges.vllm.running import small_model

    with small_model() as final, small_model("agent") as agent:
        yield {"final": final, "agent": agent}


@pytest.fixture(scope="module")
def ours():
    """Answers by the course's own engine, with the likeliest tokens."""

    def answer(prompt, asked, checkpoint="final"):
        tokenizer = Tokenizer.load()
        engine = Engine(SmallModel.load(checkpoint), tokenizer.vocabulary, tool_outputs(tokenizer.vocabulary, "hermes"))
        wanted = {**asked, "type": "regex" if asked["type"] == "lab_04" else asked["type"]}
        params = SamplingParams(max_tokens=MOST, temperature=0)
        request = engine.add_request(tokenizer.prompt(prompt), params, response_format=wanted)
        engine.generate(request)
        assert request.error is None
        return [*request.output_token_ids, tokenizer.eos_id]

    return answer


def ended(llm, requests, way, leaves=()):
    """Run requests to their end, but for those that are aborted after three steps."""
    from bridges.vllm.running import params

    core, found = llm.llm_engine, {}
    for name, (prompt, asked) in requests.items():
        core.add_request(
            name, {"prompt_token_ids": Tokenizer.load().prompt(prompt)}, params(asked, way, max_tokens=MOST)
        )
    steps = 0
    while core.has_unfinished_requests():
        found |= {each.request_id: [*each.outputs[0].token_ids] for each in core.step() if each.finished}
        steps += 1
        if steps == 3 and leaves:
            core.abort_request([*leaves])
    return found


@pytest.mark.parametrize("way", ["processor", "backend"])
def test_whoever_is_preempted_or_left_beside_one_that_goes_writes_the_same(folders, ours, way):
    from bridges.vllm.running import engine

    few = {"block_size": 32, "num_gpu_blocks_override": 7, "max_model_len": 160, "enable_prefix_caching": False}
    with engine(folders["final"], way, disable_log_stats=False, **few) as llm:
        requests = {f"{turn}{number}": each for turn in "abc" for number, each in enumerate(ASKED)}
        leaves = {"b1", "b3", "c0"}
        found = ended(llm, requests, way, leaves)
        counted = {metric.name: metric.value for metric in llm.get_metrics() if hasattr(metric, "value")}
        again = ended(llm, {"d1": ASKED[1]}, way)
    assert counted["vllm:num_preemptions"] > 3
    assert {name for name in found if name not in leaves} == {*requests} - leaves
    expected = [ours(*each) for each in ASKED]
    for name, ids in [*found.items(), *again.items()]:
        if name not in leaves:
            assert ids == expected[int(name[1])], name


def test_a_model_that_thinks_first_is_masked_when_it_has_thought(folders):
    from bridges.vllm.running import engine, params

    tokenizer = Tokenizer.load()
    question = "How warm is it in Rome? Use fahrenheit. JSON with city, temperature."
    call = ("get_weather", {"city": "Rome", "unit": "fahrenheit"})
    said = [Turn("user", question), Turn("assistant", "", [call]), Turn("tool", '{"temperature": 55, "sky": "sun"}')]
    ids = prompt_ids(tokenizer, said, ["get_weather(city: string, unit: celsius|fahrenheit)"], "hermes", "<think>")
    schema = {"type": "object", "properties": {"degrees": {"type": "integer"}}, "required": ["degrees"]}
    plugin = {"reasoning_parser": "thinks", "reasoning_parser_plugin": str(ROOT / "tests" / "bridges" / "thinks.py")}
    with engine(folders["agent"], structured_outputs_config=plugin) as llm:
        asked = params({"type": "json_schema", "schema": schema}, max_tokens=90)
        (answer,) = llm.generate([{"prompt_token_ids": ids}], asked, use_tqdm=False)
    thoughts, end, rest = tokenizer.decode([*answer.outputs[0].token_ids]).partition("</think>")
    assert "temperature: 55" in thoughts and end
    jsonschema.validate(json.loads(rest), schema)


def post(url, prompt, asked, **more):
    body = {"model": "small", "prompt": Tokenizer.load().prompt(prompt), "max_tokens": MOST, "temperature": 0}
    body |= {"vllm_xargs": {"mask": json.dumps(asked)}, "return_token_ids": True} | more
    request = Request(f"{url}/v1/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=120) as answer:
        return json.load(answer)["choices"][0]


def counts(url, name):
    """Return a counter of each engine process."""
    with urlopen(f"{url}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return [float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name}{{")]


def test_two_engines_behind_one_server_and_the_agent_on_it(folders, ours):
    from bridges.vllm.agent import asks
    from bridges.vllm.running import serve
    from labs.agent.agent import TASKS, run

    with serve(folders["agent"], data_parallel_size=2) as url:
        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(lambda each: post(url, *each), ASKED * 4)]
        asked = counts(url, "vllm:prompt_tokens_total")
        with pytest.raises(HTTPError) as refused:
            post(url, ORDER, {"type": "regex", "pattern": "[0-9"})
        said = json.loads(refused.value.read())["error"]
        solved = {task["question"]: [*run(task, asks(url, temperature=0))][-1].text for task in TASKS}
    assert len(asked) == 2 and min(asked) > 0
    expected = [ours(*each, "agent") for each in ASKED]
    assert [answer["token_ids"] for answer in answers] == expected * 4
    assert said["code"] == 400 and "at position 0 of '[0-9'" in said["message"]
    assert {question: json.loads(text) for question, text in solved.items()} == {
        task["question"]: json.loads(task["answer"]) for task in TASKS
    }


def test_a_model_that_is_split_between_two_processes(folders, ours):
    from bridges.vllm.running import serve

    with serve(folders["final"], tensor_parallel_size=2) as url, ThreadPoolExecutor(8) as pool:
        answers = [*pool.map(lambda each: post(url, *each), ASKED)]
    assert [answer["token_ids"] for answer in answers] == [ours(*each) for each in ASKED]


def test_a_students_files_make_the_masks_in_vllm(tmp_path):
    copy = tmp_path / "course"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "tests", "out", "book", "node_modules"))
    for number, broken in ((6, False), (7, True)):
        (lab,) = copy.glob(f"labs/lab_{number:02}_*")
        text = solution(number)
        if broken:
            text = text.replace("def mask_row(", "def mask_row(*_):\n    return [][5]\n\n\ndef _mask_row(")
        (lab / "starter.py").write_text(text, encoding="utf-8")
        command = [sys.executable, "-W", "ignore", "-m", "bridges.vllm.show", "--pattern", "yes|no"]
        ran = tmp_path / "ran"
        environment = os.environ | {"LAB_CHAIN": "mine", "COURSE_RAN": str(ran)}
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
        calls = {tuple(line.split("\t")) for line in ran.read_text("utf-8").splitlines()}
        if broken:
            assert done.returncode == 1 and "error: IndexError" in done.stderr, done.stderr
            assert f"{lab.name}/starter.py" in done.stderr and "return [][5]" in done.stderr
        else:
            assert done.returncode == 0, done.stderr
            assert "mask yes|no" in done.stdout and ("your", "6", "unfold") in calls
