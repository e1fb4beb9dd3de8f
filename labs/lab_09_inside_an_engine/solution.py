"""Lab 09: inside an engine. Requests arrive at any time, wait for their grammar, decode in one batch, and leave.

All requests with the same grammar share one guide, and each keeps a state of its own: its position in the grammar.
Part one, the idea, is TODO 1 to 4: one request's state, its next token and its end, and then the mask of a batch. Part
two, in an engine, is the rest: guides that compile while others decode, and how requests get in and out.

The classes here are given, and their methods call your functions. ``labkit.engine`` calls those of
``StructuredOutputManager``.
"""

import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit import engine as engine_parts
from labkit.automata.work import at_most
from labkit.engine import Engine, Request, SamplingParams
from labkit.errors import BudgetTooSmall, QueueFull
from labkit.reading import ORDERS, Reading, reading_of
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import Guide, GuideOfFunctions, allowed, example_guide, forbid
from labs.lab_09_inside_an_engine.given.serving import answers, engine_of
from labs.lab_09_inside_an_engine.given.workers import Submit, Worker, at_once

Logits = NDArray[Any]
"""``[V]`` or ``[batch, V]``, float32 in this course's engine."""

DOUBLES = (GuideOfFunctions, example_guide, Worker, engine_of)
"""Given, for tests and examples: two guides, a worker that is driven by hand, an engine on a function."""

# One request --------------------------------------------------------------------------------------------


class StructuredOutputState:
    """Given: a guide, and one request's position in it. The guide is shared, the state isn't.

    Args:
        guide: of the request's grammar.
        current: the guide's state after the tokens so far; None for its initial one.

    >>> state = StructuredOutputState(example_guide())  # [0-9]+x? over 1, x, 1x and EOS, with ids 0 to 3
    >>> state.allowed_tokens(), state.is_terminal()  # the x needs a digit before it
    ({0, 2}, False)
    >>> state.advance(2)
    >>> state.allowed_tokens(), state.is_terminal()  # after 1x only EOS can follow
    ({3}, True)
    """

    def __init__(self, guide: Guide, current: Any = None) -> None:
        self.guide = guide
        self.current = guide.initial if current is None else current

    def advance(self, token_id: int) -> None:
        """Move over a token; see ``advance_state``.

        >>> state = StructuredOutputState(example_guide())
        >>> state.advance(0), state.current  # advance returns nothing: it moves the state from 0 to 1
        (None, 1)
        """
        advance_state(self, token_id)

    def is_terminal(self) -> bool:
        """Return whether the text so far is a whole match.

        >>> guide = example_guide()
        >>> StructuredOutputState(guide).is_terminal(), StructuredOutputState(guide, 1).is_terminal()  # "" and "1"
        (False, True)
        """
        return self.guide.is_accepting(self.current)

    def allowed_tokens(self, remaining: int | None = None) -> set[int]:
        """Return the ids that may come next; see ``tokens_of``.

        >>> state = StructuredOutputState(example_guide(), 1)
        >>> state.allowed_tokens(), state.allowed_tokens(remaining=1)  # the last token has to be EOS
        ({0, 1, 2, 3}, {3})
        """
        return tokens_of(self.guide.mask(self.current, remaining))


def advance_state(state: StructuredOutputState, token_id: int) -> None:
    """Move one request's state over the token that was chosen for it.

    Args:
        state: changed in place. Its guide isn't, because other requests use the same one.
        token_id: EOS included.

    Raises:
        TokenNotAllowed: if the guide refuses the token. The state is then where it was.

    >>> guide = example_guide()
    >>> one, other = StructuredOutputState(guide), StructuredOutputState(guide)
    >>> advance_state(one, 2)
    >>> one.current, other.current, guide.initial  # only the request that has written 1x has moved
    (2, 0, 0)
    """
    # begin TODO
    # subtle: the guide serves other requests too, so we only ask it, and keep the answer ourselves
    state.current = state.guide.advance(state.current, token_id)
    # end TODO


def tokens_of(bitmask: NDArray[np.int32]) -> set[int]:
    """Return the ids of the tokens whose bits are set. Given.

    Args:
        bitmask: ``int32[W]``; bit t % 32 of word t // 32 is token t.

    >>> sorted(tokens_of(np.array([6, -(2**31)], np.int32)))
    [1, 2, 63]
    """
    (places,) = np.nonzero(allowed(bitmask, 32 * len(bitmask)))
    return set(places.tolist())


def apply_structured_output_mask(logits: Logits, state: StructuredOutputState, remaining: int | None = None) -> Logits:
    """Return one request's logits, with minus infinity for every token that its guide forbids. Given.

    You've written this in labs 01 and 04. Here the mask comes from the guide, for the request's own state. The sampler
    needn't know anything about grammars: a token with minus infinity has the probability 0.

    Args:
        logits: ``[V]`` of any floating type. It stays as it is, because it belongs to the model.
        remaining: how many tokens may still be written, EOS included; None for no limit. The guide takes care of it
            (lab 05).

    Returns:
        A new array of the same dtype and shape. If no token is allowed, all of it is minus infinity.

    >>> apply_structured_output_mask(np.float32([5, 9, 4, 0]), StructuredOutputState(example_guide())).tolist()
    [5.0, -inf, 4.0, -inf]
    """
    masked = logits.copy()
    bits = allowed(state.guide.mask(state.current, remaining), len(logits))
    # subtle: we assign and don't add, because a forbidden logit may be infinite or NaN
    masked[~bits] = -np.inf
    return masked


def sample_token(
    logits: Logits,
    context_token_ids: Iterable[int],
    params: SamplingParams,
    generator: np.random.Generator,
    structured_state: StructuredOutputState | None = None,
    remaining: int | None = None,
) -> int:
    """Choose the next token of one request: first the mask, then the engine's own sampler.

    Args:
        logits: ``float32[V]``, as the model gave them; it stays as it is.
        context_token_ids, params, generator: pass them on to ``engine_parts.sample_token``, which applies the
            repetition penalty, temperature, top-k, top-p and min-p, in this order.
        structured_state: None for a request without a constraint; then nothing is masked.
        remaining: see ``apply_structured_output_mask``.

    Raises:
        ValueError: if no token may come next. The engine's sampler raises it.

    >>> logits, likeliest = np.float32([5, 9, 4, 0]), SamplingParams(top_k=1)
    >>> state = StructuredOutputState(example_guide())
    >>> sample_token(logits, [], likeliest, np.random.default_rng(0), state)  # token 1, the x, isn't legal yet
    0
    """
    # begin TODO
    # subtle: after the mask, top-k keeps k legal tokens; before it, all k might be illegal
    if structured_state is not None:
        logits = apply_structured_output_mask(logits, structured_state, remaining)
    return engine_parts.sample_token(logits, context_token_ids, params, generator)
    # end TODO


def is_finished(state: StructuredOutputState, remaining: int | None = None) -> bool:
    """Return whether the engine may end this answer now, without asking the model for EOS.

    It may do so if the text is a complete match and nothing but EOS can follow, because then the model has no choice
    left. It may do so after EOS, too: then no token is allowed, and the guide still accepts.

    Args:
        remaining: see ``apply_structured_output_mask``. A small budget may leave nothing but EOS.

    >>> after_1, after_1x = (StructuredOutputState(example_guide(), current) for current in (1, 2))
    >>> is_finished(after_1), is_finished(after_1, remaining=1), is_finished(after_1x)
    (False, True, True)
    """
    # begin TODO
    # subtle: a single token may also be a forced one, in the middle of a match; where the guide accepts, it's EOS
    if not state.is_terminal():
        return False
    # subtle: bitwise_count counts the bits of the absolute value, so read the words without a sign
    words = state.guide.mask(state.current, remaining).view(np.uint32)
    # Most masks have bits in many words, and words are counted ten times as fast as bits.
    return int(np.count_nonzero(words)) <= 1 and int(np.bitwise_count(words).sum()) <= 1
    # end TODO


# The batch ----------------------------------------------------------------------------------------------


def mask_batch(
    states: Sequence[StructuredOutputState | None],
    logits: NDArray[np.float32],
    remaining: Sequence[int | None] | None = None,
) -> None:
    """Mask the logits of a whole batch in place, with one call of ``fill`` for each guide in it.

    Thirty requests with the same schema share a guide, and it's faster to ask it for thirty rows at once than to ask
    thirty times. A batch without any constraint should cost nothing, because most traffic is like that.

    Args:
        states: one for each row; None for a request without a constraint. Leave the row of such a request alone, and
            if the whole batch has no constraint, call nothing.
        logits: ``float32[batch, V]``, changed in place.
        remaining: how many tokens each row may still write, EOS included. None if there are no limits: pass it on.

    >>> guide, logits = example_guide(), np.ones((3, 4), np.float32)
    >>> mask_batch([StructuredOutputState(guide), None, StructuredOutputState(guide, 2)], logits)
    >>> logits.tolist()  # at the start, without a constraint, after 1x
    [[1.0, -inf, 1.0, -inf], [1.0, 1.0, 1.0, 1.0], [-inf, -inf, -inf, 1.0]]
    """
    # begin TODO
    # Collect the rows of each guide, and their states. Guides define no equality, so each is a key of its own.
    rows_of: dict[Guide, list[int]] = defaultdict(list)
    current: dict[Guide, list[Any]] = defaultdict(list)
    for row, state in enumerate(states):
        if state is not None:
            rows_of[state.guide].append(row)
            current[state.guide].append(state.current)
    vocab_size = logits.shape[1]
    for guide, rows in rows_of.items():
        bitmask = np.zeros((len(rows), -(-vocab_size // 32)), np.int32)
        # subtle: pick the budgets by the same rows as the states, or a row ends up with another one's
        guide.fill(current[guide], bitmask, None if remaining is None else [remaining[row] for row in rows])
        forbid(logits, rows, bitmask)
    # end TODO


class LogitMaskProcessor:
    """Given: masks the logits of each step, and counts its work.

    Attributes:
        num_masked: how many rows it has masked.

    >>> processor = LogitMaskProcessor()
    >>> processor([None, StructuredOutputState(example_guide())], np.ones((2, 4), np.float32))
    >>> processor.num_masked
    1
    """

    def __init__(self) -> None:
        self.num_masked = 0

    def __call__(
        self,
        states: Sequence[StructuredOutputState | None],
        logits: NDArray[np.float32],
        remaining: Sequence[int | None] | None = None,
    ) -> None:
        """Mask a batch in place; see ``mask_batch``."""
        self.num_masked += sum(state is not None for state in states)
        mask_batch(states, logits, remaining)


# What is asked for --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResponseFormat:
    """Given: what a request asks for. Equal formats share a compile, so this is half of the cache's key.

    Args:
        kind: ``"regex"``, ``"choice"``, ``"json_schema"``, ``"json_object"`` or ``"grammar"``.
        source: the pattern, the choices, the schema or the grammar, as JSON text; ``"null"`` for ``json_object``.
        closed: for a schema: True leaves out members that it doesn't mention; False allows them, as JSON Schema does.
        order: of an object's members: ``"schema"``, as it lists them, or ``"any"``, as JSON Schema allows.
        whitespace: of the JSON: ``"flexible"``, as ``json.dumps`` may write it, or ``"compact"``, without any.
        implied: for a schema: False takes it as a validator does, who allows all types where there's no ``type``.

    Raises:
        ValueError: if there is no such order or white space.

    >>> ResponseFormat("choice", '["yes", "no"]').value
    ['yes', 'no']
    """

    kind: str
    source: str
    closed: bool = True
    order: str = "schema"
    whitespace: str = "flexible"
    implied: bool = True

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ValueError(f"response_format: the order must be schema or any, not {self.order!r}")
        if self.whitespace not in ("flexible", "compact"):
            raise ValueError(f"response_format: whitespace must be flexible or compact, not {self.whitespace!r}")

    @property
    def value(self) -> Any:
        """The pattern, the choices, the schema or the grammar."""
        return json.loads(self.source)

    @property
    def reading(self) -> Reading:
        """How a schema is read."""
        return Reading(self.closed, self.order, self.implied)


FIELDS: dict[str, str | None] = {
    "text": None,
    "json_object": None,
    "regex": "pattern",
    "choice": "choices",
    "json_schema": "schema",
    "grammar": "grammar",
}
"""For each type of a ``response_format``, the one other field that it needs."""

TYPES: dict[str, tuple[type, ...]] = {
    "pattern": (str,),
    "choices": (list, tuple),
    "schema": (dict, bool),
    "grammar": (str,),
}
"""What types each field may have."""

BESIDE_THE_SCHEMA = ("name", "description", "strict", "order", "whitespace", "reading")
"""What clients send beside a schema: OpenAI's three fields and three of ours. The last four influence the mask."""


def read_response_format(asked: Mapping[str, Any]) -> ResponseFormat | None:
    """Read the ``response_format`` of a request, or refuse it. Given.

    Args:
        asked: a type and the one field that it needs (``FIELDS``). A schema has two shapes: ``{"type": "json_schema",
            "schema": …}``, and OpenAI's, ``{"type": "json_schema", "json_schema": {"schema": …}}``, which may also
            hold what ``BESIDE_THE_SCHEMA`` lists. It stays as it is.

    Returns:
        The format, whose ``source`` is the JSON text of the field's value, or None for ``"text"``, which has no
        constraint. Beside a schema, ``"strict": False`` makes the format open; ``order`` and ``whitespace`` are kept.
        A ``reading`` sets ``closed``, ``order`` and ``implied`` together, and ``strict`` and ``order`` go before it.

    Raises:
        ValueError: if the type is unknown; if a field is missing or of the wrong type; if there's one field too many,
            because we couldn't keep both constraints; if there are no choices, or one isn't a text.

    >>> read_response_format({"type": "regex", "pattern": "[0-9]+"})
    ResponseFormat(kind='regex', source='"[0-9]+"', closed=True, order='schema', whitespace='flexible', implied=True)
    >>> read_response_format({"type": "json_schema", "json_schema": {"name": "n", "schema": {}, "strict": False}})
    ResponseFormat(kind='json_schema', source='{}', closed=False, order='schema', whitespace='flexible', implied=True)
    """
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    reading, order, whitespace = reading_of(), "schema", "flexible"
    # OpenAI's shape becomes the plain one; with anything beside it, it stays and is refused below.
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        named = fields["json_schema"]
        closed = None if named.get("strict") is None else named["strict"] is not False
        try:
            reading = reading_of(named.get("reading", "form"), closed)
        except ValueError as error:
            raise ValueError(f"response_format: {error}") from None
        order = named.get("order", reading.order)
        whitespace = named.get("whitespace", "flexible")
        fields = {name: value for name, value in named.items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    wanted = [needed] if needed else []
    if list(fields) != wanted:
        raise ValueError(f"response_format: {kind} needs the fields {wanted} besides, and has {list(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    # Keys aren't sorted: the order of properties is the order in which they're written, so it's part of the grammar.
    if kind == "text":
        return None
    return ResponseFormat(kind, json.dumps(value), reading.closed, order, whitespace, reading.implied)


def vocabulary_fingerprint(vocabulary: Vocabulary) -> str:
    """Return a text that is the same for equal vocabularies, and different for any others. Given.

    A guide's masks mean nothing in another vocabulary, even in one of the same size. So this is the other half of the
    cache's key: a SHA-256 over everything that a mask depends on.

    >>> one, other = (Vocabulary([b"a", token, b"</s>"], eos_id=2) for token in (b"b", b"c"))
    >>> vocabulary_fingerprint(one) == vocabulary_fingerprint(other), len(vocabulary_fingerprint(one))
    (False, 64)
    """
    digest = sha256(f"{len(vocabulary)} {vocabulary.eos_id} {sorted(vocabulary.special_ids)}".encode())
    for token in vocabulary.token_bytes:
        # The length keeps "a", "bc" apart from "ab", "c".
        digest.update(b"%d:" % len(token) + token)
    return digest.hexdigest()


# The cache of guides ------------------------------------------------------------------------------------


class CompileCache:
    """Given: a cache of guides. It only holds the data; ``find_or_compile``, ``give_back`` and ``evict`` do the work.

    Args:
        submit: hands a compile to a worker and returns its future at once.
        max_guides: how many entries to keep. There may be more while some are still compiling.
        max_compiling: how many compiles may wait or run at a time.

    Attributes:
        entries: the future of each key's guide, the least recently used first.
        waiting: for each key, how many requests wait for its compile.
        hits, misses: how often a key was found, and how often it wasn't.

    >>> cache = CompileCache(at_once)
    >>> cache.get("a", lambda: "guide of a").result(), cache.hits, cache.misses, cache.keys()
    ('guide of a', 0, 1, ['a'])
    """

    def __init__(self, submit: Submit, max_guides: int = 64, max_compiling: int = 8) -> None:
        self.submit = submit
        self.max_guides = max_guides
        self.max_compiling = max_compiling
        self.entries: OrderedDict[Hashable, Future[Guide]] = OrderedDict()
        self.waiting: Counter[Hashable] = Counter()
        self.hits = self.misses = 0

    def get(self, key: Hashable, compile_guide: Callable[[], Guide]) -> "Future[Guide]":
        """Return the future of a key's guide; see ``find_or_compile``.

        >>> cache = CompileCache(Worker().submit)  # whose worker hasn't begun yet
        >>> cache.get("a", lambda: "guide") is cache.get("a", lambda: "another")
        True
        """
        return find_or_compile(self, key, compile_guide)

    def give_back(self, key: Hashable) -> None:
        """Note that a request no longer waits; see the function.

        >>> cache = CompileCache(at_once)
        >>> future = cache.get("a", lambda: "guide")
        >>> cache.give_back("a"), cache.num_waiting(), cache.keys()  # nobody waits, but the guide stays
        (None, 0, ['a'])
        """
        give_back(self, key)

    def num_compiling(self) -> int:
        """Return how many compiles wait or run.

        >>> worker = Worker()
        >>> cache = CompileCache(worker.submit)
        >>> futures = [cache.get(key, lambda: "guide") for key in "aab"]
        >>> cache.num_compiling(), worker.work(), cache.num_compiling()
        (2, True, 1)
        """
        return sum(not future.done() for future in self.entries.values())

    def keys(self) -> list[Hashable]:
        """Return the keys of all entries, the least recently used first.

        >>> cache = CompileCache(at_once)
        >>> futures = [cache.get(key, lambda: "guide") for key in "aba"]
        >>> cache.keys()
        ['b', 'a']
        """
        return list(self.entries)

    def num_waiting(self) -> int:
        """Return how many requests wait for a compile.

        >>> cache = CompileCache(Worker().submit)
        >>> futures = [cache.get(key, lambda: "guide") for key in "aba"]
        >>> cache.num_waiting()
        3
        """
        return sum(self.waiting.values())


def evict(cache: CompileCache) -> None:
    """Shrink the cache to ``max_guides`` entries: drop the guides that haven't been used for longest. Given.

    A compile that's waiting or running stays, because the next request for it would start it a second time. While many
    are compiling, the cache may therefore be larger.

    >>> cache = CompileCache(at_once, max_guides=2)
    >>> cache.entries |= {"old": Worker().submit(list)} | {key: at_once(list) for key in "abc"}
    >>> evict(cache)
    >>> cache.keys()  # the oldest is still compiling
    ['old', 'c']
    """
    too_many = max(0, len(cache.entries) - cache.max_guides)
    compiled = [key for key, future in cache.entries.items() if future.done()]
    for key in compiled[:too_many]:
        del cache.entries[key]


def find_or_compile(cache: CompileCache, key: Hashable, compile_guide: Callable[[], Guide]) -> "Future[Guide]":
    """Return the future of a key's guide, from the cache or from a new compile.

    Never wait for it, because you're on the engine's only thread, and every other request would wait with you. If the
    key is there, that's a hit: count it, and make the entry the most recently used one. If it isn't, that's a miss:
    count it, submit the compile, keep its future, and let ``evict`` bring the cache back to its size. (That may even
    remove the new entry, if it's finished at once while all others are still compiling.) Either way, one more request
    now waits for the key, until it calls ``give_back``.

    Args:
        key: includes everything that the guide depends on.
        compile_guide: makes the guide. Don't call it; hand it to ``cache.submit``.

    Raises:
        QueueFull: if it's a miss and ``max_compiling`` compiles are waiting or running. The cache then stays as it was.

    >>> cache = CompileCache(at_once)
    >>> [find_or_compile(cache, "a", lambda: "guide").result() for _ in range(3)], cache.hits, cache.misses
    (['guide', 'guide', 'guide'], 2, 1)
    """
    # begin TODO
    future = cache.entries.get(key)
    if future is not None:
        cache.hits += 1
        cache.entries.move_to_end(key)
    else:
        if cache.num_compiling() >= cache.max_compiling:
            raise QueueFull("grammars wait for their compile", cache.max_compiling)
        # subtle: keep the future, not the guide, so that requests which come meanwhile find it
        future = cache.entries[key] = cache.submit(compile_guide)
        cache.misses += 1
        evict(cache)
    cache.waiting[key] += 1
    return future
    # end TODO


def give_back(cache: CompileCache, key: Hashable) -> None:
    """Note that a request no longer waits for a key: it has its guide, it was aborted, or its compile has failed.

    If no other request waits for the key, remove it from ``waiting``, and try to cancel its compile. If that works,
    remove the entry as well. If it doesn't, the compile carries on, and the next request will find its guide. (The
    server's workers can stop even a compile that runs. Its future then says that it was cancelled.) A failed compile
    doesn't stay in the cache in any case, so that the next request tries again.

    >>> cache = CompileCache(Worker().submit)
    >>> future = cache.get("a", print)
    >>> give_back(cache, "a")
    >>> future.cancelled(), cache.keys(), cache.num_waiting()
    (True, [], 0)
    """
    # begin TODO
    cache.waiting -= Counter([key])  # subtle: this also forgets the key when its count becomes 0
    future = cache.entries.get(key)
    if future is None:  # it was evicted
        return
    if not cache.waiting[key]:
        future.cancel()  # does nothing to a future that is done, or that runs where nobody can end it
    if future.cancelled() or (future.done() and future.exception() is not None):
        del cache.entries[key]
    # end TODO


# Admission ----------------------------------------------------------------------------------------------


class StructuredOutputManager:
    """Given: answers what the engine asks about requests with a ``response_format`` (``StructuredOutputs``).

    Args:
        vocabulary: the model's.
        compile_format: makes the guide of a format in this vocabulary; only the worker calls it.
        submit: hands a compile to a worker; the default does it at once.
        max_guides, max_compiling: see ``CompileCache``.
        budget: whether masks keep enough tokens to finish (lab 05).
        most_work: how much work one call may ask of a guide (``labkit.automata.work``); a request that asks for more
            fails, and the others go on. None for no limit.

    Attributes:
        cache: the guides.
        tickets: for each request that waits, its key and the future of its guide.
        processor: what masks the batch.
        limit: of the work that each call may ask of a guide.

    >>> toy = Vocabulary([b"1", b"x", b"1x", b"</s>"], eos_id=3)
    >>> manager = StructuredOutputManager(toy, lambda wanted: example_guide())
    >>> engine = engine_of(lambda ids: np.float32([0, 9, 5, 0]), toy, manager)  # a model that wants x
    >>> greedy, wanted = SamplingParams(temperature=0), {"type": "regex", "pattern": "[0-9]+x?"}
    >>> answers(engine, engine.add_request([0], greedy, response_format=wanted))
    ['1x']
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        compile_format: Callable[[ResponseFormat], Guide],
        submit: Submit = at_once,
        *,
        max_guides: int = 64,
        max_compiling: int = 8,
        budget: bool = True,
        most_work: int | None = None,
    ) -> None:
        self.fingerprint = vocabulary_fingerprint(vocabulary)
        self.compile_format = compile_format
        self.cache = CompileCache(submit, max_guides, max_compiling)
        self.tickets: dict[str, tuple[Hashable, Future[Guide]]] = {}
        self.processor = LogitMaskProcessor()
        self.budget = budget
        self.limit = at_most(most_work)

    def add(self, request: Request) -> None:
        """Find the guide of a new request, or have it compiled; see ``admit``.

        >>> manager = StructuredOutputManager(Vocabulary.toy(), print, Worker().submit)
        >>> manager.add(Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1"}))
        >>> manager.cache.num_waiting()
        1
        """
        admit(self, request)

    def ready(self, request: Request) -> bool:
        """Return whether a waiting request may start; see ``is_ready``.

        >>> manager = StructuredOutputManager(Vocabulary.toy(), print, Worker().submit)
        >>> request = Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1"})
        >>> manager.add(request)
        >>> manager.ready(request)
        False
        """
        with self.limit:
            return is_ready(self, request)

    def mask(self, requests: Sequence[Request], logits: NDArray[np.float32]) -> None:
        """Mask the logits of a step in place.

        >>> logits = np.ones((1, 5), np.float32)
        >>> free = Request("a", (3,), SamplingParams())
        >>> StructuredOutputManager(Vocabulary.toy(), print).mask([free], logits)
        >>> logits.tolist()
        [[1.0, 1.0, 1.0, 1.0, 1.0]]
        """
        budgets = [request.remaining for request in requests] if self.budget else None
        with self.limit:
            self.processor([request.structured_output_state for request in requests], logits, budgets)

    def advance(self, request: Request, token_id: int) -> None:
        """Move the request's state over the token that was chosen.

        >>> request = Request("a", (3,), SamplingParams())
        >>> request.structured_output_state = StructuredOutputState(example_guide())
        >>> StructuredOutputManager(Vocabulary.toy(), print).advance(request, 2)
        >>> request.structured_output_state.current
        2
        """
        with self.limit:
            request.structured_output_state.advance(token_id)

    def finished(self, request: Request) -> bool:
        """Return whether the answer is complete and nothing can follow; see ``is_finished``.

        >>> request = Request("a", (3,), SamplingParams())
        >>> request.structured_output_state = StructuredOutputState(example_guide(), 2)
        >>> StructuredOutputManager(Vocabulary.toy(), print).finished(request)  # after 1x
        True
        """
        with self.limit:
            return is_finished(request.structured_output_state, request.remaining if self.budget else None)

    def release(self, request: Request) -> None:
        """Forget a request that has ended, for whatever reason.

        >>> manager = StructuredOutputManager(Vocabulary.toy(), print, Worker().submit)
        >>> request = Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1"})
        >>> manager.add(request)
        >>> manager.release(request)
        >>> manager.tickets, manager.cache.num_waiting()
        ({}, 0)
        """
        ticket = self.tickets.pop(request.request_id, None)
        if ticket is not None:
            self.cache.give_back(ticket[0])
        request.structured_output_state = None


def admit(manager: StructuredOutputManager, request: Request) -> None:
    """Give a new request its ticket, ``(key, future)``, in ``manager.tickets`` under its id; wait for nothing. Given.

    A request for ``"text"`` gets no ticket. Its ``response_format`` becomes None, so that the engine never asks again.

    Raises:
        ValueError: if ``read_response_format`` refuses the request's ``response_format``.
        QueueFull: if too many grammars are compiling (``find_or_compile``). Then nothing of the request is kept.

    >>> manager = StructuredOutputManager(Vocabulary.toy(), print, Worker().submit)
    >>> request = Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1"})
    >>> admit(manager, request)
    >>> list(manager.tickets), manager.cache.num_compiling()
    (['a'], 1)
    """
    wanted = read_response_format(request.response_format)
    if wanted is None:
        request.response_format = None
        return
    # subtle: without the vocabulary in the key, another model's masks would be served
    key = (manager.fingerprint, wanted)
    future = manager.cache.get(key, lambda: manager.compile_format(wanted))
    manager.tickets[request.request_id] = (key, future)


def is_ready(manager: StructuredOutputManager, request: Request) -> bool:
    """Return whether a request may start, without waiting. When it may, give it a state and remove its ticket.

    The engine asks at every step, so others decode while this request's grammar compiles.

    Returns:
        False while its grammar is compiling; True from then on, however often the engine asks.

    Raises:
        BudgetTooSmall: if the shortest match and EOS don't fit into ``request.remaining``, and ``manager.budget`` is
            set. Leave the ticket where it is: the engine then calls ``release``, which gives it back. The test for it
            may compare with ``tokens_to_accept``, which costs nothing but may be an upper bound, or ask for the mask
            of the initial state within the budget, which is empty exactly when nothing fits.
        Exception: whatever the compile raised.

    >>> worker = Worker()
    >>> manager = StructuredOutputManager(Vocabulary.toy(), lambda wanted: example_guide(), worker.submit)
    >>> request = Request("a", (3,), SamplingParams(), {"type": "regex", "pattern": "1"})
    >>> manager.add(request)
    >>> is_ready(manager, request), worker.work(), is_ready(manager, request), manager.tickets
    (False, True, True, {})
    """
    # begin TODO
    # subtle: the engine may ask again after a yes, if the batch had no room in that step
    if request.structured_output_state is not None:
        return True
    key, future = manager.tickets[request.request_id]
    if not future.done():
        return False
    state = StructuredOutputState(future.result())
    # tokens_to_accept may be an upper bound, but a mask within the budget is empty exactly where nothing fits.
    if manager.budget and not state.guide.mask(state.current, request.remaining).any():
        raise BudgetTooSmall(request.remaining, state.guide.tokens_to_accept(state.current) + 1)  # EOS is one more
    # subtle: the ticket goes back only now; had anything been raised, release would give it back
    del manager.tickets[request.request_id]
    manager.cache.give_back(key)
    request.structured_output_state = state
    return True
    # end TODO


# The front end ------------------------------------------------------------------------------------------


class Program:
    """Given: a text that grows by what you add and by what the engine generates, as in SGLang's front end.

    Args:
        engine: runs the requests.
        encode: from a text to its token ids.
        text: what it starts with.
        params: how tokens are chosen.

    Attributes:
        answers: what was generated, by name.

    >>> engine = engine_of(lambda ids: np.float32([0, 0, 9, 0, 0]), Vocabulary.toy())
    >>> program = Program(engine, lambda text: [3] * len(text), "1", SamplingParams(temperature=0))
    >>> program += "1"
    >>> program.gen("fraction", max_tokens=2), program.text, program["fraction"]
    ('.2.2', '11.2.2', '.2.2')
    """

    def __init__(
        self,
        engine: Engine,
        encode: Callable[[str], Sequence[int]],
        text: str = "",
        params: SamplingParams | None = None,
    ) -> None:
        self.engine = engine
        self.encode = encode
        self.text = text
        self.params = params or SamplingParams()
        self.answers: dict[str, str] = {}

    def __iadd__(self, text: str) -> "Program":
        """Add a text."""
        self.text += text
        return self

    def __getitem__(self, name: str) -> str:
        """Return what was generated under this name."""
        return self.answers[name]

    def gen(self, name: str, **constraint: Any) -> str:
        """Generate a part, constrained or free; see ``generate_part``.

        >>> engine = engine_of(lambda ids: np.float32([0, 0, 9, 0, 0]), Vocabulary.toy())
        >>> Program(engine, lambda text: [3], "", SamplingParams(temperature=0)).gen("fraction", max_tokens=1)
        '.2'
        """
        return generate_part(self, name, **constraint)


def generate_part(
    program: Program,
    name: str,
    *,
    regex: str | None = None,
    choices: Sequence[str] | None = None,
    json_schema: dict[str, Any] | bool | None = None,
    max_tokens: int = 64,
) -> str:
    """Let the engine write the next part of a program; add it to the program's text and answers, and return it.

    Each part is a request of its own, with the program's text so far as its prompt, so each can have its own format.

    Args:
        name: the part's name in ``program.answers``, where it replaces an earlier part of that name.
        regex, choices, json_schema: at most one of them; without any, the part is free.
        max_tokens: how many tokens this part may have, EOS included. All other parameters are the program's.

    Raises:
        ValueError: if there is more than one constraint, or the engine refuses the request.
        Exception: whatever made the request fail. Whatever is raised, the program stays as it was.

    >>> engine = engine_of(lambda ids: np.float32([0, 0, 9, 0, 0]), Vocabulary.toy())
    >>> program = Program(engine, lambda text: [3] * len(text), "1")
    >>> generate_part(program, "fraction", regex="1", choices=["2"])
    Traceback (most recent call last):
    ValueError: a part has one constraint at most, and this one has 2
    """
    # begin TODO
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    # subtle: a schema may be False and a pattern empty, so ask for None
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]
    # end TODO
