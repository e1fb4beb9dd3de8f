"""Fixed questions to each function of lab 09. The answers distinguish one misconception from another.

The guides are tables: for each state the tokens that may come next, and where they lead.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.checking.probing import attempt
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary

V, EOS, END = 40, 36, 99
FORK = {0: {3: 1, 31: 2, 35: 0}, 1: {4: 2}, 2: {}, 5: {33: 5}}
LOOP = {0: {0: 1}, 1: {0: 1, 39: 2}, 2: {}, 5: {}}


class TableGuide:
    """A guide that is a table, and notes its calls."""

    def __init__(self, table: dict[int, dict[int, int]], accepting: Sequence[int], fewest: float = 1) -> None:
        self.table, self.accepting, self.few = table, accepting, fewest
        self.calls: list[Any] = []

    def words(self, state: int, remaining: int | None) -> NDArray[np.int32]:
        """Return the tokens of a state as a bitmask; only EOS where no more are left than a match needs without it."""
        short = remaining is not None and remaining <= self.few
        ids = set() if state == END or short else set(self.table[state])
        ids |= {EOS} if state in self.accepting else set()
        bits = np.isin(np.arange(64), sorted(ids))
        return np.packbits(bits, bitorder="little").view("<i4").astype(np.int32)

    def mask(self, state: int, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the same, and note the call."""
        self.calls.append(["mask", state, remaining])
        return self.words(state, remaining)

    def fill(self, states: Sequence[int], out: NDArray[np.int32], remaining: Any = None) -> NDArray[np.int32]:
        """Write the rows of some states."""
        self.calls.append(["fill", list(states), remaining])
        for row, state, budget in zip(out, states, remaining or [None] * len(states), strict=True):
            row[:] = self.words(state, budget)
        return out

    def advance(self, state: int, token_id: int) -> int:
        """Return the next state."""
        self.calls.append(["advance", state, token_id])
        if token_id == EOS and state in self.accepting:
            return END
        if state == END or token_id not in self.table[state]:
            raise TokenNotAllowed(token_id, f"the table's state {state}")
        return self.table[state][token_id]

    def made(self, lab: Any) -> Any:
        """Return the guide as the lab takes it."""
        accepts = lambda state: state == END or state in self.accepting  # noqa: E731
        return lab.GuideOfFunctions(0, self.mask, self.fill, self.advance, accepts, lambda state: self.few)


def _fork() -> TableGuide:
    return TableGuide(FORK, [2])


def _loop() -> TableGuide:
    return TableGuide(LOOP, [1, 2])


def _logits(seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(V, dtype=np.float32)


def probe_advance_state(lab: Any) -> list[object]:
    found: list[object] = []
    for tokens in ([3, 4, EOS], [31, 7, EOS], [35, 3]):
        table = _fork()
        guide = table.made(lab)
        state, other = lab.StructuredOutputState(guide), lab.StructuredOutputState(guide)
        for token_id in tokens:
            found.append([attempt(lab.advance_state, state, token_id), state.current, other.current, guide.initial])
        found.append(table.calls)
    return found


SIGNED = [[-(2**31), 0], [-(2**30), 0], [0, -(2**31)], [-(2**31), 1], [-1, 0]]
"""Bitmasks of 64 tokens in which token 31 or 63 is allowed, which makes a word negative."""


def _signed(lab: Any, row: Sequence[int]) -> Any:
    words = np.array(row, np.int32)
    guide = lab.GuideOfFunctions(0, lambda state, remaining=None: words, print, max, lambda state: True, max)
    return lab.StructuredOutputState(guide)


def probe_is_finished(lab: Any) -> list[object]:
    found: list[object] = [attempt(lab.is_finished, _signed(lab, row)) for row in SIGNED]
    for make in (_fork, _loop):
        for current in (0, 1, 2, 5, END):
            for remaining in (None, 1, 2):
                state = lab.StructuredOutputState(make().made(lab), current)
                found.append([attempt(lab.is_finished, state, remaining), state.current])
    in_the_word_of_eos = TableGuide({0: {EOS ^ 1: 0}}, [0]).made(lab)
    return [*found, attempt(lab.is_finished, lab.StructuredOutputState(in_the_word_of_eos))]


def probe_sample_token(lab: Any) -> list[object]:
    found: list[object] = []
    settings: list[dict[str, Any]] = [{"top_k": 2}, {"top_p": 0.4}, {"min_p": 0.3}, {"temperature": 0}, {}]
    settings += [{"temperature": 0, "repetition_penalty": 9.0}]
    for params in settings:
        for seed in range(6):
            for current, remaining in ((None, None), (0, None), (1, None), (1, 1), (END, None)):
                state = None if current is None else lab.StructuredOutputState(_loop().made(lab), current)
                logits, rng = _logits(seed) + np.float32(3) * (np.arange(V) == 7), np.random.default_rng(seed)
                asked = (logits, [0, 39], lab.SamplingParams(**params), rng, state, remaining)
                found.append([attempt(lab.sample_token, *asked), float(rng.random()), state and state.current])
    return found


def probe_mask_batch(lab: Any) -> list[object]:
    found: list[object] = []
    for rows in (".", "a", "ab", "b.a", "aab.ba", "..b"):
        for limited in (False, True):
            tables = {"a": _fork(), "b": _loop()}
            guides = {name: table.made(lab) for name, table in tables.items()}
            made = enumerate(rows)
            states = [None if name == "." else lab.StructuredOutputState(guides[name], i % 3) for i, name in made]
            logits = np.stack([_logits(i) for i in range(len(rows))])
            logits[:, 1] = np.nan
            budgets = [None if i % 4 == 3 else 1 + i % 2 for i in range(len(rows))] if limited else None
            found.append([attempt(lab.mask_batch, states, logits, budgets), logits])
            found.append([[call[-1] is None for call in table.calls] for table in tables.values()])
    logits = np.ones((1, 64), np.float32)  # V / 32 without a rest
    found.append([attempt(lab.mask_batch, [lab.StructuredOutputState(_fork().made(lab))], logits), logits])
    return found


def _job(made: list[str], key: str, *, fails: bool = False) -> Callable[[], str]:
    def compile_guide() -> str:
        made.append(key)
        if fails:
            raise ValueError(key)
        return key

    return compile_guide


def _cache_after(lab: Any, cache: Any, futures: list[Any], made: list[str]) -> list[object]:
    states = [[future.done(), future.cancelled()] if hasattr(future, "done") else None for future in futures]
    return [states, cache.keys(), cache.hits, cache.misses, cache.num_waiting(), len(cache.waiting), list(made)]


def probe_find_or_compile(lab: Any) -> list[object]:
    found: list[object] = []
    for work in (0, 1, 2):
        for keys in ("aab", "abcab", "abca", "abacabd"):
            worker, made = lab.Worker(), list[str]()
            cache, futures = lab.CompileCache(worker.submit, 2, 2), list[Any]()
            for place, key in enumerate(keys):
                kind, value, *_ = attempt(lab.find_or_compile, cache, key, _job(made, key))
                futures.append(value if kind == "value" else None)
                found.append([(kind, value if kind == "error" else None), _cache_after(lab, cache, futures, made)])
                if work and place % work == 0:
                    worker.work()
    # The first compile waits, the second is done at once: with room for one guide, it is the one that leaves.
    worker, made = lab.Worker(), []
    submits = iter([worker.submit, lab.at_once])
    cache, futures = lab.CompileCache(lambda job: next(submits)(job), 1, 2), []
    for key in "ab":
        kind, value, *_ = attempt(lab.find_or_compile, cache, key, _job(made, key))
        futures.append(value if kind == "value" else None)
        found.append([(kind, value if kind == "error" else None), _cache_after(lab, cache, futures, made)])
    return found


def probe_give_back(lab: Any) -> list[object]:
    found: list[object] = []
    for begun in ("none", "begun", "done"):
        for fails in (False, True):
            for requests in (1, 2):
                worker, made = lab.Worker(), list[str]()
                cache = lab.CompileCache(worker.submit)
                future = worker.submit(_job(made, "a", fails=fails))
                cache.entries.update({"a": future})
                cache.waiting.update({"a": requests, "b": 1})
                if begun != "none":
                    worker.begin() if begun == "begun" else worker.work()
                for key in ("a", "b"):
                    found.append([attempt(lab.give_back, cache, key), _cache_after(lab, cache, [future], made)])
    return found


def _manager(lab: Any, worker: Any, made: list[Any], few: float = 1) -> Any:
    def compile_format(wanted: Any) -> Any:
        made.append([wanted.kind, wanted.source])
        if wanted.source == '"("':
            raise ValueError("(")
        return TableGuide(LOOP, [1, 2], few).made(lab)

    tokens = [b"%d" % i for i in range(V)]
    return lab.StructuredOutputManager(Vocabulary(tokens, eos_id=EOS), compile_format, worker.submit, max_compiling=2)


def _request(lab: Any, name: str, asked: Any, max_tokens: int = 2) -> Any:
    return lab.Request(name, (1,), lab.SamplingParams(max_tokens=max_tokens), asked)


def probe_is_ready(lab: Any) -> list[object]:
    found: list[object] = []
    for few, pattern, budget in (
        (1, "1", True),
        (2, "1", True),
        (3, "1", True),
        (np.inf, "1", True),
        (1, "(", True),
        (3, "1", False),
    ):
        worker, made = lab.Worker(), list[Any]()
        manager = _manager(lab, worker, made, few)
        manager.budget = budget
        pair = [_request(lab, name, {"type": "regex", "pattern": pattern}, 3) for name in "ab"]
        for request in pair:
            manager.add(request)
        for moment in range(3):
            for request in pair:
                answer = attempt(lab.is_ready, manager, request)
                state = request.structured_output_state
                if state is not None and moment == 1:
                    state.advance(0)
                held = [list(manager.tickets), manager.cache.num_waiting(), manager.cache.keys() != []]
                found.append([answer, None if state is None else state.current, held])
            worker.work()
        states = [request.structured_output_state for request in pair]
        found.append(states[0] is not None and states[0] is states[1])
    worker = lab.Worker()
    manager, request = _manager(lab, worker, []), _request(lab, "a", {"type": "regex", "pattern": "1"})
    manager.add(request)
    worker.work()
    manager.cache.entries.clear()  # the guide was evicted, and its request has the ticket
    found.append([attempt(lab.is_ready, manager, request), list(manager.tickets)])
    return found


def probe_generate_part(lab: Any) -> list[object]:
    found: list[object] = []
    parts: list[dict[str, Any]] = [
        {"regex": "1"},
        {"choices": ("a",)},
        {"json_schema": {"a": 1}, "max_tokens": 3},
        {},
        {"regex": "", "json_schema": False},
        {"json_schema": False},
        {"regex": "1", "choices": ["a"]},
        {"regex": "("},
        {"max_tokens": 5},
    ]
    for first in range(len(parts)):
        made, prompts = list[Any](), list[Any]()

        def model(ids: Sequence[int], prompts: list[Any] = prompts) -> NDArray[np.float32]:
            prompts.append(list(ids))
            wants_7 = np.where(np.arange(V) == 7, 1000, -1000 * np.arange(V))  # so sure that it draws no lots
            return wants_7.astype(np.float32)

        vocabulary = Vocabulary([b"%d" % (i % 10) for i in range(V)], eos_id=EOS)
        instant = type("Instant", (), {"submit": staticmethod(lab.at_once)})
        manager = _manager(lab, instant, made)
        manager.fingerprint = ""
        engine = lab.engine_of(model, vocabulary, manager)
        program = lab.Program(
            engine, lambda text: [len(text)], "ab", lab.SamplingParams(max_tokens=2, temperature=0, stop=("77",))
        )
        for name, options in (("x", parts[first]), ("y", {"max_tokens": 4}), ("y", {"max_tokens": 1})):
            answer = attempt(partial(lab.generate_part, program, name, **options))
            found.append([answer, program.text, dict(program.answers), list(made), [ids[0] for ids in prompts]])
        program.engine = lab.engine_of(model, vocabulary)  # which refuses every response_format
        found.append(attempt(partial(lab.generate_part, program, "free", max_tokens=1)))
    return found
