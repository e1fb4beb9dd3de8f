"""``python3 -m course serve``: the small model behind HTTP until it is told to stop."""

import asyncio
import gc
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn
from rich.console import Console
from rich.progress import Progress

from course.showcase.explain.report import explained
from course.showcase.server.app import UNFORCED, Service
from course.showcase.server.connections import HEAD_SECONDS, Connection
from course.showcase.server.constraints import read_json
from course.showcase.server.formats import ToolCalls, written_format
from course.showcase.server.journal import log_to_stderr
from course.showcase.server.processes import Processes
from course.showcase.server.worker import IDLE_SECONDS
from labkit.engine import Engine, Model, Request, SamplingParams
from labkit.small_model import SmallModel
from labkit.small_model.drafting import by_bigrams_and_lookup
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import Checkpoint
from labkit.vocabulary import Vocabulary
from mask_engine import index_of, structured_outputs, text_samplers, tool_outputs

MOST_WORK = 18_000
"""Units of work that a request may ask for in one call of the engine's thread. A unit takes half a microsecond to one,
so no call takes more than 20 ms of processor time, whatever the grammar. What people write asks for half of that at
most, unless a budget hardly suffices: then the search for shorter endings goes on in the next step."""

COLLECTING = 2_000, 20, 500
"""When garbage is collected. To look through all that a server holds takes as long as some steps, and what it keeps is
freed without that; so it is done five hundred times as seldom as Python's own numbers would have it."""

MAX_GUIDES = 32
"""How many guides are kept: fewer than lab 09's manager keeps, since anybody may ask this server for large ones."""

SWITCH_SECONDS = 0.0005
"""How long another thread may run Python before the engine's gets its turn; Python's own 0.005 would be added to a step
as often as the model's pass lets others run."""


class Server(uvicorn.Server):
    """Uvicorn that prints where it listens, and lets running requests finish before it ends.

    Args:
        grace: how many seconds running requests have to finish after a signal.
        head_seconds: how long the head of a request may take to arrive.
    """

    def __init__(
        self,
        service: Service,
        console: Console,
        host: str,
        port: int,
        grace: float,
        head_seconds: float = HEAD_SECONDS,
    ) -> None:
        # The engine tells its clients after `grace`; uvicorn cuts connections only if that was not enough.
        config = uvicorn.Config(
            service.app(),
            host,
            port,
            # Over h11: httptools, if it is installed, knows no limit of a request's head.
            http=partial(Connection, head_seconds),
            ws="none",
            log_level="warning",
            timeout_graceful_shutdown=int(grace) + 3,
            lifespan="on",
        )
        super().__init__(config)
        self._service, self._console, self._grace = service, console, grace
        self._event_loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then print a command that works."""
        try:
            await super().startup(sockets)
        except SystemExit:  # uvicorn has said why
            self._console.print("If the port is taken, name another: --port 8001, or --port 0 for any that is free.")
            raise
        self._event_loop = asyncio.get_running_loop()
        if self.started:
            self._console.print(greeting(self.address()), markup=False)
            if self._service.tool_calls is not None and not self._service.tool_calls.masks:
                self._console.print(f"Warning: {UNFORCED}.", style="yellow", markup=False)

    def address(self) -> str:
        """Return where it listens; a port of 0 was replaced by a real one."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to shut down at the first signal; end at once at the second SIGINT."""
        if not self.should_exit and self._event_loop is not None:
            grace = self._grace if sig != signal.SIGINT else 0.0
            self._event_loop.call_soon_threadsafe(self._service.begin_shutdown, grace)
        super().handle_exit(sig, frame)


def greeting(address: str) -> str:
    """Return the lines that a person sees, with a request that can be pasted into a shell."""
    return f"""\
Serving the small model on {address} (Ctrl-C stops it). Try:

    curl {address}/v1/chat/completions -H 'Content-Type: application/json' -d '{{"model": "small",
      "messages": [{{"role": "user", "content": "teal as a hex colour"}}], "max_tokens": 20,
      "response_format": {{"type": "regex", "pattern": "#[0-9a-f]{{6}}"}}}}'
"""


def make_engine(
    model: Model,
    budget: bool = True,
    jump: str | None = None,
    tool_calls: str | None = None,
    cache: Path | None = None,
    processes: Processes | None = None,
    max_guides: int = MAX_GUIDES,
    draft: int = 0,
    **options: Any,
) -> Engine:
    """Return an engine with the masks of the labs.

    Args:
        processes: where grammars are compiled; None for here and now.
        budget: whether masks keep enough tokens to finish (lab 05).
        jump: how forced text is written without a pass (lab 10); None for no jumps.
        tool_calls: the format in which masks constrain calls of tools (lab 11); None for no such masks.
        cache: a folder in which the vocabulary made ready is kept for the next server.
        max_guides: how many guides are kept.
        draft: the most tokens that are drafted before a pass (lab 14); 0 for no drafts.
        options: of ``Engine``.
    """
    vocabulary = Vocabulary.small()
    if cache:
        index_of(vocabulary, cache)
    compiling: dict[str, Any] = {
        "max_guides": max_guides,
        "max_compiling": 64,
        "budget": budget,
        "most_work": MOST_WORK,
    }
    if processes is not None:
        compiling |= {"submit": processes.submit, "call": processes.call}
    options = {"text_sampler": text_samplers(vocabulary, MOST_WORK)} | options
    if draft:
        if find_spec("labs.lab_14_drafts") is None:
            raise ValueError("drafts need lab 14, which this copy of the course does not have")
        drafts = import_module("labs.lab_14_drafts.solution").Drafts
        words = by_bigrams_and_lookup, draft, len(vocabulary), vocabulary.eos_id
        options["drafts"] = drafts(*words, budget=budget, most_work=MOST_WORK)
    if tool_calls:
        manager = tool_outputs(vocabulary, tool_calls, **compiling)
        if cache:
            index_of(manager.vocabulary, cache)  # where special tokens are text
        return Engine(model, vocabulary, manager, **options)
    tokenizer = Tokenizer.load().encode if jump else None
    masks = structured_outputs(vocabulary, jump=jump, tokenizer=tokenizer, **compiling)
    return Engine(model, vocabulary, masks, **options)


KINDS = {".json": ("json_schema", "schema"), ".gbnf": ("grammar", "grammar"), ".regex": ("regex", "pattern")}
"""The type and the field of the format that a file holds, by the end of its name."""

FIRST_TOKENS = 64
"""How many tokens of an answer are written to warm a grammar up: the states and masks on the way are made then."""


def formats_in(folder: Path) -> dict[Path, dict[str, Any]]:
    """Return the ``response_format`` of each file in a folder.

    Raises:
        ValueError: if there are none, or a file is not UTF-8, or no JSON: the file and the place are named.
    """
    files = [path for path in sorted(folder.glob("*")) if path.suffix in KINDS]
    if not files:
        raise ValueError(f"{folder}: there is no {', '.join(f'*{end}' for end in KINDS)} to compile")
    found: dict[Path, dict[str, Any]] = {}
    for path in files:
        with _naming(path):
            text = path.read_text("utf-8")
            value = read_json(text) if path.suffix == ".json" else text.removesuffix("\n")
        kind, field = KINDS[path.suffix]
        found[path] = {"type": kind, field: value}
    return found


def warm(engine: Engine, formats: Mapping[Path, dict[str, Any]], console: Console) -> None:
    """Compile formats and begin an answer in each, so that no request has to wait for that.

    Nothing of it is kept on disk. A schema compiles in 5 ms, and its first answer spends three times that on masks,
    which would not be in a file; and reading states back takes ``pickle``, which runs what a file says.

    Raises:
        ValueError: if one cannot be compiled; its file is named.
    """
    began, waiting, running = time.monotonic(), list(formats), dict[Path, Request]()
    params = SamplingParams(max_tokens=engine.max_model_len - 1, seed=0)
    with Progress(console=console, transient=True, disable=not formats) as progress:
        task = progress.add_task("Compiling", total=len(formats))
        while waiting or running:
            while waiting and len(running) < engine.runner.num_slots:
                path = waiting.pop()
                with _naming(path):
                    running[path] = engine.add_request(
                        [engine.vocabulary.eos_id], params, response_format=formats[path]
                    )
            engine.step()
            time.sleep(0 if engine.scheduled else IDLE_SECONDS)
            for path, request in list(running.items()):
                if request.finish_reason or len(request.output_token_ids) >= FIRST_TOKENS:
                    engine.abort(running.pop(path).request_id)
                    progress.advance(task)
                    with _naming(path):
                        if request.error is not None:
                            raise request.error
    if formats:
        console.print(f"{len(formats)} formats compiled in {time.monotonic() - began:.1f} s", markup=False)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Say which file a ValueError is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def run_server(
    console: Console,
    host: str,
    port: int,
    checkpoint: Checkpoint,
    max_num_seqs: int,
    budget: bool,
    jump: str | None,
    grace: float,
    tool_call_format: str,
    tool_call_masks: bool,
    cache: Path | None,
    allowed_hosts: Sequence[str],
    folder: Path | None,
    log: bool,
    draft: int,
) -> int:
    """Serve until a signal comes; return the exit status."""
    formats = formats_in(folder) if folder else {}
    sys.setswitchinterval(SWITCH_SECONDS)
    processes = Processes("course.showcase.server.compiling")
    try:
        import_module("labs.lab_11_tool_calls.solution")
        takes_tools = bool(written_format(tool_call_format))
    except ModuleNotFoundError:  # a copy of the course may end before lab 11
        takes_tools = False
    masked = tool_call_format if takes_tools and tool_call_masks else None
    model = SmallModel.load(checkpoint)
    options: dict[str, Any] = {
        "max_num_seqs": max_num_seqs,
        "max_guides": MAX_GUIDES + len(formats),
        "draft": draft,
    }
    engine = make_engine(model, budget, jump, masked, cache, processes, **options)
    warm(engine, formats, console)
    manager = engine.structured_outputs if masked else None
    tools = ToolCalls(engine.vocabulary, tool_call_format, manager) if takes_tools else None

    def explain(asked: dict[str, Any], text: str, logits: list[float] | None) -> Future[str]:
        return processes.submit(lambda: processes.call(explained, asked, text, logits))

    hosts = [f"[{host}]" if ":" in host else host, *allowed_hosts]
    service = Service(engine, tool_calls=tools, explain=explain, allowed_hosts=hosts, checkpoint=checkpoint)
    server = Server(service, console, host, port, grace)
    if log:
        log_to_stderr()
    gc.collect()
    gc.freeze()  # what is here now stays, and no collection need look through it
    gc.set_threshold(*COLLECTING)
    with suppress(KeyboardInterrupt):  # uvicorn has shut down, and hands the signal on
        server.run()
    processes.close()
    return 0 if server.started else 1
