"""Dialogues with tools: a question, a thought before every step, calls and their results, and an answer in JSON.

A thought notes what the answer needs, as far as it is known, and what comes next: ``city: Oslo. temperature: ? I look
up the weather in Oslo.``
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.fields import FIELDS
from labkit.small_model.tasks.forms import STRING, Schema, closed
from labkit.small_model.tasks.records import written
from labkit.small_model.tasks.tool_calls import STYLES, Call, render
from labkit.small_model.tasks.tools import TOOLS, UNIT
from labkit.small_model.tasks.words import CITIES, ITEMS, SUBJECTS

SKIES = ("clouds", "fog", "rain", "snow", "sun", "wind")
JOBS = [each for each in SUBJECTS if each not in ("cat", "child", "dog", "girl", "neighbour")]

_SUBJECTS: dict[str, Callable[[Random], str]] = {
    "name": facts.person,
    "city": lambda rng: rng.choice(CITIES),
    "item": lambda rng: rng.choice(ITEMS),
}
"""What a tool is asked about, by the name of its parameter."""

_LEADS = {"name": ("owner", "author", "teacher", "guest", "customer"), "city": ("city", "town"), "item": ("item",)}
"""The facts that the next tool can be asked about, by the name of its parameter."""

_LIVES = {"name": "lives", "item": "is"}
"""What somebody or something does in a city."""

_FACTS = [
    key
    for key, (schema, _) in FIELDS.items()
    if schema["type"] not in ("array", "boolean") and key not in ("from", "to")
]


@dataclass(frozen=True)
class LookUp:
    """A tool that tells facts about a person, a city or a thing.

    Attributes:
        subject: the parameter that says about which.
        tells: the facts, each with a function that draws one.
        asks: how people ask for a fact, of one subject or of two; ``{}`` is where they are named.
        about: what a thought says is looked up.
        others: the schemas of other parameters.
    """

    name: str
    subject: str
    tells: dict[str, Callable[[Random], Any]]
    asks: Mapping[str, Sequence[str]]
    about: str = "{}"
    others: dict[str, Schema] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Schema]:
        """The schema of each parameter."""
        return {self.subject: STRING} | self.others


USUAL = (
    LookUp(
        "find_person",
        "name",
        {"city": _SUBJECTS["city"], "job": lambda rng: rng.choice(JOBS)},
        {
            "city": ("Where does {} live?", "What is the city of {}?"),
            "job": ("What does {} do for a living?", "What is the job of {}?"),
        },
    ),
    LookUp(
        "get_weather",
        "city",
        {"temperature": lambda rng: rng.randint(-15, 38), "sky": lambda rng: rng.choice(SKIES)},
        {
            "temperature": ("How warm is it in {}?", "What is the temperature in {}?"),
            "sky": ("How is the sky in {}?", "What is the sky like in {}?"),
        },
        "the weather in {}",
        {"unit": UNIT},
    ),
    LookUp(
        "check_stock",
        "item",
        {"price": facts.price, "count": lambda rng: rng.randint(0, 120)},
        {
            "price": ("What does {} cost?", "What is the price of {}?"),
            "count": ("How many does the shop have of {}?", "What is the count of {}?"),
        },
        "the {} in the shop",
    ),
)
"""The tools of most dialogues."""


@dataclass(frozen=True)
class Turn:
    """One turn of the assistant. Its thought is in no later request: thoughts are left out of the prompt.

    Attributes:
        style: how calls are written.
        request: what a client sends to the server; the prompt ends with the begin of a thought.
        answer: what the model should write: the rest of the thought, its end, and calls or JSON.
    """

    style: str
    request: dict[str, Any]
    answer: str


def dialogue(rng: Random) -> list[Turn]:
    """Draw a dialogue with one call, with one after the other, or with two at once; return its turns.

    >>> for turn in dialogue(Random(69)):
    ...     print(turn.answer.partition("</think>")[0])
    city: ? sky: ? I look up Mia Vega.
    city: Helsinki. sky: ? I look up the weather in Helsinki.
    city: Helsinki. sky: clouds. That is all.
    """
    return rng.choices([_one_call, _one_after_the_other, _two_at_once], [3, 4, 3])[0](rng)


def definition(name: str, parameters: dict[str, Schema]) -> dict[str, Any]:
    """Return a tool as a client sends it."""
    return {"type": "function", "function": {"name": name, "parameters": closed(parameters)}}


class _Talk:
    """A dialogue as it grows."""

    def __init__(self, rng: Random, tools: Sequence[LookUp], question: str, keys: Sequence[str], of: str = "") -> None:
        self.rng, self.keys, self.of, self.turns = rng, keys, of, list[Turn]()
        self.style = "hermes" if rng.random() < 0.75 else rng.choice(STYLES)
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": f"{question} JSON with {', '.join(keys)}."}]
        # Half the time the three usual tools in their order, if they include those needed; else any, in any order.
        needed, usual = ({tool.name: tool.parameters for tool in each} for each in (tools, USUAL))
        if not needed.keys() <= usual.keys() or rng.random() < 0.5:
            others = {tool.name: tool.parameters for tool in rng.sample(list(TOOLS.values()), 2)} | usual
            extra = rng.sample([name for name in others if name not in needed], rng.randint(1, 2))
            usual = needed | {name: others[name] for name in extra}
            usual = {name: usual[name] for name in rng.sample(list(usual), len(usual))}
        self.tools = [definition(*each) for each in usual.items()]

    def says(self, known: dict[str, Any], comes: str, said: str) -> None:
        """Add a turn."""
        values = {key: known.get(key) for key in self.keys}
        shown = {key: each if isinstance(each, str) else written(each) for key, each in values.items()}
        notes = [f"{self.of}{key}: ?" if values[key] is None else f"{self.of}{key}: {shown[key]}." for key in values]
        request = {"model": "small", "messages": [*self.messages], "tools": self.tools, "thinking_token_budget": 1}
        self.turns.append(Turn(self.style, request, f"{' '.join([*notes, comes])}</think>{said}"))

    def calls(self, known: dict[str, Any], *calls: tuple[LookUp, Call]) -> list[dict[str, Any]]:
        """Add a turn with calls; return their results."""
        about = " and ".join(tool.about.format(arguments[tool.subject]) for tool, (_, arguments) in calls)
        self.says(known, f"I look up {about}.", render(self.style, [call for _, call in calls]))
        ids = [f"call_{len(self.messages)}_{place}" for place in range(len(calls))]
        made = [{"name": name, "arguments": written(arguments)} for _, (name, arguments) in calls]
        both = [{"id": one, "type": "function", "function": each} for one, each in zip(ids, made, strict=True)]
        self.messages.append({"role": "assistant", "tool_calls": both})
        told = [_told(self.rng, tool, arguments[tool.subject]) for tool, (_, arguments) in calls]
        for one, each in zip(ids, told, strict=True):
            self.messages.append({"role": "tool", "tool_call_id": one, "content": written(each)})
        return told

    def answers(self, known: dict[str, Any]) -> list[Turn]:
        """Add the answer, with null for what nobody told; return all turns."""
        value = {key: known.get(key) for key in self.keys}
        self.says(known, "Nobody knows." if None in value.values() else "That is all.", written(value))
        return self.turns


def _one_call(rng: Random) -> list[Turn]:
    tool = _tool(rng, rng.choice(list(_SUBJECTS)))
    call, options = _call(rng, tool, subject := _SUBJECTS[tool.subject](rng))
    keys = rng.sample(list(tool.tells), rng.choice([1, 1, 2]))
    question = [rng.choice(tool.asks[key]).format(_the(tool, subject)) for key in keys]
    talk = _Talk(rng, [tool], " ".join(question + options), [tool.subject] * rng.randint(0, 1) + keys)
    (told,) = talk.calls({tool.subject: subject}, (tool, call))
    return talk.answers({tool.subject: subject} | told)


def _one_after_the_other(rng: Random) -> list[Turn]:
    middle = rng.choice(list(_SUBJECTS))
    lead = rng.choice(_LEADS[middle])
    first, second = _tool(rng, rng.choice([each for each in _SUBJECTS if each != middle]), lead), _tool(rng, middle)
    if rng.random() < 0.5:
        middle, lead, first, second = "city", "city", *USUAL[:2]
    if first.name == second.name:
        return _one_after_the_other(rng)
    subject, value, key = _SUBJECTS[first.subject](rng), _SUBJECTS[middle](rng), rng.choice(list(second.tells))
    first = replace(first, tells=first.tells | {lead: lambda _: value})
    call, options = _call(rng, second, value)
    if lead == "city" and second is USUAL[1] and rng.random() < 0.6:
        question = second.asks[key][0].replace("in {}", f"where {_the(first, subject)} {_LIVES[first.subject]}")
    else:
        question = rng.choice(second.asks[key]).format(f"the {lead} of {_the(first, subject)}")
    keys = dict.fromkeys([lead] * rng.randint(0, 1) + [key])
    talk = _Talk(rng, [first, second], " ".join([question, *options]), list(keys))
    (told,) = talk.calls({}, (first, (first.name, {first.subject: subject})))
    known = {lead: value} if lead in told else {}
    if known:
        known |= talk.calls(known, (second, call))[0] | known
    return talk.answers(known)


def _two_at_once(rng: Random) -> list[Turn]:
    tool = _tool(rng, rng.choice(list(_SUBJECTS)))
    subjects = {subject.split()[0]: subject for subject in (_SUBJECTS[tool.subject](rng) for _ in range(2))}
    key, (call, options) = rng.choice(list(tool.tells)), _call(rng, tool, "")
    named = " and ".join(_the(tool, subject) for subject in subjects.values())
    asked = rng.choice(tool.asks[key])
    question = (asked.replace(" does {}", " do {}") if len(subjects) > 1 else asked).format(named)
    talk = _Talk(rng, [tool], " ".join([question, *options]), list(subjects), f"{key} of ")
    told = talk.calls({}, *((tool, (tool.name, call[1] | {tool.subject: each})) for each in subjects.values()))
    return talk.answers({name: each.get(key) for name, each in zip(subjects, told, strict=True)})


def _tool(rng: Random, subject: str, key: str = "") -> LookUp:
    """Draw a tool to be asked about a subject: the usual one, or one that tells a fact of ``FIELDS`` or this one."""
    usual = next(tool for tool in USUAL if tool.subject == subject)
    if rng.random() < 0.75 and (not key or key in usual.tells):
        return usual
    keys = [key or rng.choice([each for each in _FACTS if each != subject])]
    keys.append(rng.choice([each for each in _FACTS if each not in (subject, *keys)]))
    name = rng.choice([f"get_{keys[0]}", f"{subject}_{keys[0]}", f"read_{subject}", f"ask_{subject}"])
    asks = {each: (f"What is the {each} of {{}}?", f"Tell me the {each} of {{}}.") for each in keys}
    return LookUp(name, subject, {each: FIELDS[each][1] for each in keys}, asks)


def _the(tool: LookUp, subject: str) -> str:
    """Return how a question names a subject."""
    return f"the {subject}" if tool.subject == "item" else subject


def _call(rng: Random, tool: LookUp, subject: str) -> tuple[Call, list[str]]:
    """Return a call, and what the question says about its other parameters."""
    others = {key: rng.choice(schema["enum"]) for key, schema in tool.others.items()}
    return (tool.name, {tool.subject: subject} | others), [f"Use {each}." for each in others.values()]


def _told(rng: Random, tool: LookUp, subject: str) -> dict[str, Any]:
    """Draw a result: one in six is an error."""
    if rng.random() < 1 / 6:
        said = [
            f"unknown {tool.subject}",
            f"no {tool.subject} {subject}",
            f"{subject} is unknown",
            "not found",
            "timeout",
        ]
        return {"error": rng.choice(said)}
    return {key: draw(rng) for key, draw in tool.tells.items()}
