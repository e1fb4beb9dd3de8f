"""``python3 -m course upstream parsers FOLDER``: do SGLang's and vLLM's parsers read what lab 11's masks let through?

FOLDER has the two packages, unpacked from their wheels. Only their parsers are imported; stubs stand in for whatever
else those import.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import allowed
from labs.lab_11_tool_calls.given.formats import FORMATS, Format
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import Tool
from mask_engine import tool_outputs

ANSWERS = 30
"""How many answers each parser gets: so many with one call, and as many with two or more."""

OTHER_NAMES = dict.fromkeys(("mistral_hf", "mistral_v11", "mistral_v13", "mistral_bare"), "mistral")
OTHER_NAMES |= {
    "llama3_python_tag": "llama3 llama3_json",
    "nemotron": "qwen3_coder",
    "cohere_command": "cohere_command4",
}
OTHER_NAMES |= {"internlm2": "interns1", "hunyuan_v3": "hunyuan"}
"""What engines call the parser of a row, where that's neither the row's name nor an alias."""

NEEDED = ("tool_parsers", "parser", "reasoning", "entrypoints", "exceptions", "envs", "utils.coll", "utils.import_")
ABSENT = ("torch", "xgrammar", "openai_harmony", "prometheus_client", "pybase64")
"""The modules of vLLM that its parsers do use, and the packages that the parsers import and don't use."""


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


_TEXT, _SIZE = {"type": "string"}, {"type": "integer", "minimum": -9, "maximum": 99}
_TAGS = {"type": "array", "items": _TEXT, "maxItems": 3}
TOOLS = [Tool("find_trains", _object(to=_TEXT, seats=_SIZE, direct={"type": "boolean"})), Tool("ping")]
TOOLS += [Tool("tag_photo", _object(name=_TEXT, tags=_TAGS)), Tool("save", _object(order=_object(tags=_TAGS)))]
ASKED = [{"type": "function", "function": {"name": tool.name, "parameters": tool.parameters}} for tool in TOOLS]

Calls = list[tuple[str, dict[str, Any]]]
Readers = dict[str, Callable[[str], Calls]]
"""What reads an answer's calls, by how it gets the answer; empty if an engine has no parser for a format."""


def check(folder: Path, console: Console, rows: Iterable[Format] = FORMATS.values()) -> int:
    """Print how many answers of each format the parsers read as lab 11 does.

    Raises:
        ValueError: if the folder has none of the packages, or something that their parsers need is not installed.
    """
    found = {name: load for name, load in (("sglang", sglang), ("vllm", vllm)) if (folder / name).is_dir()}
    if not found:
        raise ValueError(f"{folder} has no folder sglang or vllm: unpack their wheels there")
    logging.disable(logging.CRITICAL)  # the parsers log whatever they can't read
    try:
        engines = {name: load(folder) for name, load in found.items()}
    except ModuleNotFoundError as error:
        raise ValueError(f"the parsers need {error.name}: {sys.executable} -m pip install {error.name}") from error
    table = Table("format", *(f"{name}, {calls}" for name in engines for calls in ("one call", "several")))
    for row in rows:
        texts = [list(islice(answers(row, several), ANSWERS)) for several in (False, True)] if row.constrained else []
        table.add_row(row.name, *(counted(row, readers(row), some) for readers in engines.values() for some in texts))
    console.print(table)
    return 0


def answers(row: Format, several: bool) -> Iterator[str]:
    """Yield random answers under a format's masks: one call in each, or more; none if the format has no second call.

    >>> [next(answers(FORMATS["mistral_v13"], several)).count("[TOOL_CALLS]") for several in (False, True)]
    [1, 2]
    """
    rng, blocks = Random(0), several and row.repeat is not None
    chars = dict.fromkeys([*map(chr, range(32, 127)), *"\n\t\réß京", *"".join(row.triggers + row.special)])
    vocabulary = Vocabulary([*(char.encode() for char in chars), b"</s>"], eos_id=len(chars))
    compiled = tool_outputs(vocabulary, row.name).compile_tools
    guides = [compiled([tool], "required", several and not blocks) for tool in TOOLS]
    while not several or row.parallel:
        text = (row.repeat or "").join(written(rng.choice(guides), vocabulary, rng) for _ in range(1 + blocks))
        if (len(parse(row, text, TOOLS)[1]) > 1) == several:
            yield text


def written(guide: Any, vocabulary: Vocabulary, rng: Random) -> str:
    """Write at random under a guide's masks, until it accepts."""
    state, ids = guide.initial, list[int]()
    left = guide.tokens_to_accept(state) + rng.randint(1, 60)
    while not guide.is_accepting(state):
        mask = allowed(guide.mask(state, left - len(ids)), len(vocabulary))
        ids.append(rng.choice(np.flatnonzero(mask).tolist()))
        state = guide.advance(state, ids[-1])
    return vocabulary.decode(ids)


def counted(row: Format, readers: Readers, texts: list[str]) -> str:
    """Return how many texts are read as lab 11 reads them; "w": but for white space at the ends of strings."""
    cells = []
    for how, read in readers.items() if texts else ():
        same = spaces = 0
        for text in texts:
            right = parse(row, text, TOOLS)[1]
            try:
                got = read(row.begun + text)
            except Exception:  # whatever a parser raises, it hasn't read the answer
                continue
            same += got == right
            spaces += got != right and _stripped(got) == _stripped(right)
        cells.append(f"{how}{same}" + f" + {spaces}w" * bool(spaces))
    return ", ".join(cells) or "-"


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stripped(each) for key, each in value.items()}
    return value.strip() if isinstance(value, str) else [*map(_stripped, value)] if hasattr(value, "__len__") else value


def named(row: Format, names: Iterable[str]) -> str:
    """Return the name under which an engine has a format's parser, dashes and underscores aside; empty if it has none.

    >>> named(FORMATS["deepseek_v3"], ["glm45", "deepseekv3"])
    'deepseekv3'
    """
    known = {re.sub("[-_]", "", name): name for name in names}
    mine = (re.sub("[-_]", "", name) for name in (row.name, *row.aliases, *OTHER_NAMES.get(row.name, "").split()))
    return next((known[name] for name in mine if name in known), "")


def sglang(folder: Path) -> Callable[[Format], Readers]:
    """Load SGLang's parsers."""
    for name in ("sglang", "sglang.srt"):
        _package(name, folder)
    sys.meta_path.insert(0, Stubs())
    parser = import_module("sglang.srt.function_call.function_call_parser").FunctionCallParser
    asked = [import_module("sglang.srt.entrypoints.openai.protocol").Tool(**tool) for tool in ASKED]

    def readers(row: Format) -> Readers:
        tokens, name = Tokenizer(row), named(row, parser.ToolCallParserEnum)

        def whole(text: str) -> Calls:
            found = parser(asked, name, tokens).parse_non_stream(text)[1]
            return [(call.name, json.loads(call.parameters)) for call in found]

        def streamed(text: str) -> Calls:
            one, found = parser(asked, name, tokens), dict[int, list[str]]()
            steps = [*(one.parse_stream_chunk(piece)[1] for piece in tokens.split(text)), one.parse_stream_end()[1]]
            for call in (call for step in steps for call in step):
                parts = found.setdefault(call.tool_index, ["", ""])
                parts[:] = parts[0] + (call.name or ""), parts[1] + call.parameters
            return [(name, json.loads(arguments)) for name, arguments in found.values()]

        return {"": whole, "streamed ": streamed} if name else {}

    return readers


def vllm(folder: Path) -> Callable[[Format], Readers]:
    """Load vLLM's parsers. They stream by the tokens of the model's own vocabulary, so they get whole answers here."""
    _package("vllm", folder)
    vars(_package("vllm.utils", folder))["random_uuid"] = str
    sys.meta_path.insert(0, Stubs())
    vars(import_module("vllm.renderers.chat_utils"))["make_tool_call_id"] = lambda *_, **__: "call"
    vars(import_module("vllm.logger"))["init_logger"] = logging.getLogger
    vars(import_module("vllm.utils.mistral"))["is_mistral_tokenizer"] = lambda _: False
    parsers, protocol = import_module("vllm.tool_parsers"), "vllm.entrypoints.openai.chat_completion.protocol"
    tool, request = (getattr(import_module(protocol), f"ChatCompletion{name}") for name in ("ToolsParam", "Request"))
    asked = request(model="m", messages=[{"role": "user", "content": ""}], tools=ASKED, tool_choice="auto")

    def readers(row: Format) -> Readers:
        name = named(row, parsers._TOOL_PARSERS_TO_REGISTER)

        def whole(text: str) -> Calls:
            kind = parsers.ToolParserManager.get_tool_parser(name)
            found = kind(Tokenizer(row), [tool(**each) for each in ASKED]).extract_tool_calls(text, asked).tool_calls
            return [(call.function.name, json.loads(call.function.arguments)) for call in found]

        return {"": whole} if name else {}

    return readers


class Tokenizer:
    """As much of a tokenizer as the parsers look at: a format's special texts are tokens, and so is each character."""

    def __init__(self, row: Format) -> None:
        special = [*row.special, *row.thinks, *["[ARGS]"] * (row.name == "mistral_bare")]
        self.vocab = {text: number for number, text in enumerate([*special, *map(chr, range(0x3000))])}
        self.split = re.compile("|".join(map(re.escape, sorted(special, key=len)[::-1])) + "|.", re.DOTALL).findall
        self.get_vocab = lambda: self.vocab
        self.init_kwargs = {"token_suffix": ":opensource"}  # Hunyuan's

    def encode(self, text: str, **_: Any) -> list[int]:
        """Return the ids of a text."""
        return [self.vocab.setdefault(piece, len(self.vocab)) for piece in self.split(text)]

    def decode(self, ids: list[int], **_: Any) -> str:
        """Return the text of ids."""
        return "".join([*self.vocab][number] for number in ids)


class Stubs(MetaPathFinder, Loader):
    """Finds modules that have every name: most of vLLM, and packages that needn't be installed."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module, if it's to be a stub."""
        root, _, rest = name.partition(".")
        stubbed = not rest.startswith(NEEDED) if root == "vllm" else root in ABSENT
        return ModuleSpec(name, self, is_package=True) if stubbed else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Create the stub."""
        module = ModuleType(spec.name)
        module.__getattr__ = _stub  # type: ignore[method-assign]
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing."""


def _stub(name: str) -> Any:
    """Return a class that can be a base, a decorator, and the type of a field."""
    if name.startswith("__"):
        raise AttributeError(name)
    kind = type(name, (type,), {"__getattr__": lambda cls, name: _stub(name)})
    anything = classmethod(lambda *_: import_module("pydantic_core").core_schema.any_schema())
    return kind(name, (), {"__init__": lambda *_, **__: None, "__get_pydantic_core_schema__": anything})


def _package(name: str, folder: Path) -> ModuleType:
    """Put a package in place without running its ``__init__``, which would import the whole engine."""
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(folder / name.replace(".", "/"))]
    return module
