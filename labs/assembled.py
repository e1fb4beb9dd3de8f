"""The engine that the labs add up to: wiring alone, all work is done by the labs.

A pattern becomes an automaton over characters whose states are made when a text first comes to them (lab 06), and so
does a JSON Schema (lab 08). ``guide_of`` takes either to the tokens of a vocabulary (lab 07), grammars too (lab 12).
``structured_outputs`` is what a serving engine asks about the formats of its requests (lab 09), ``tool_outputs`` about
their tools (lab 11). ``text_samplers`` draws whole texts for it (lab 13).
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.grammar import called_rules
from labkit.engine.request import Request, TextSampler
from labkit.errors import InvalidSchema, LimitExceeded, TokenNotAllowed
from labkit.reading import READINGS, Reading, reading_of
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_06_regex_to_dfa.given.check import MAX_PATTERN
from labs.lab_06_regex_to_dfa.given.words import literals, words_of
from labs.lab_07_bytes_and_vocabularies import solution as lab_07
from labs.lab_07_bytes_and_vocabularies.given.on_demand.held import HeldStates
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import DfaStates
from mask_engine.patterns.lazy import LazyDfa, Tree

if TYPE_CHECKING:  # a copy of the course may end before these labs, or before lab 08
    from labs.lab_09_inside_an_engine import solution as lab_09
    from labs.lab_11_tool_calls import solution as lab_11
    from labs.lab_12_pushdown import solution as lab_12
    from mask_engine.tool_calls import Answers

State = Any
"""A state of a guide. Only ``FINISHED`` has a meaning outside."""

FINISHED: State = -2
"""The state after EOS: the text is whole, and no token may follow."""

Texts: TypeAlias = "Dfa | LazyDfa | DfaStates | lab_12.Rules"
"""What a guide is made of, for whatever vocabulary: states over characters, or the rules of a grammar."""

Call = Callable[..., Any]
"""Calls a function with arguments, at once or elsewhere, and returns its result."""


def at_once(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function here and now.

    >>> at_once(pow, 2, 3)
    8
    """
    return function(*args)


_indexes: WeakKeyDictionary[Vocabulary, lab_07.TokenVocabularyIndex] = WeakKeyDictionary()
"""Each vocabulary made ready, for as long as it is in use."""


class Matcher:
    """A compiled pattern or schema.

    >>> compile_regex("0x[0-9a-f]+").fullmatch("0x1f")
    True
    """

    def __init__(self, dfa: Dfa | LazyDfa) -> None:
        self._dfa = dfa

    def fullmatch(self, text: str) -> bool:
        """Return whether the whole text matches.

        >>> compile_regex("a|ab").fullmatch("ab"), compile_regex("a|ab").fullmatch("abb")
        (True, False)
        """
        if isinstance(self._dfa, LazyDfa) and self._dfa.is_full:
            self._dfa, _ = self._dfa.anew()
        return lab_06.fullmatch(self._dfa, text)


class Guide:
    """What an engine asks at each step of a generation: which tokens may come next, and where one leads.

    A guide never changes and serves any number of requests at a time: each request holds a state of its own.

    Attributes:
        initial: the state before the first token.

    >>> guide = compile_guide(Vocabulary.toy(), regex=r"([0-9]+)?\\.[0-9]+")
    >>> state = guide.initial
    >>> for token_id in [3, 2]:  # "1" and ".2"
    ...     state = guide.advance(state, token_id)
    >>> guide.is_accepting(state), guide.mask(state).tolist(), guide.tokens_to_accept(guide.initial)
    (True, [24], 1)
    >>> guide.mask(guide.advance(state, 4)).tolist()  # after EOS
    [0]
    """

    def __init__(self, fsm: Any, vocab_size: int, eos_id: int) -> None:
        self._fsm = fsm
        self._eos_id = eos_id
        self._n_words = -(-vocab_size // 32)
        self._nothing: NDArray[np.int32] = np.zeros(self._n_words, np.int32)
        self._nothing.flags.writeable = False
        self.initial: State = fsm.initial_state

    def mask(self, state: State, remaining: int | None = None) -> NDArray[np.int32]:
        """Return the tokens that may come next, as a bitmask.

        Args:
            remaining: how many tokens may still be emitted, this one and EOS included, at least 1; None for no limit.

        Returns:
            ``int32[ceil(V / 32)]``, shared and read-only: bit t % 32 of word t // 32 is token t. EOS is allowed where
            the state accepts. In the finished state no bit is set. Within a budget a token is allowed only if
            the rest of the budget suffices after it for a match and EOS.

        Raises:
            ValueError: if there is no such state, or ``remaining`` is less than 1.

        >>> compile_guide(Vocabulary.toy(), regex="1|a1").mask(0, remaining=2).tolist()
        [8]
        """
        return self._nothing if state == FINISHED else self._fsm.mask(state, remaining)

    def fill(
        self, states: Sequence[State], out: NDArray[np.int32], remaining: int | Sequence[int | None] | None = None
    ) -> None:
        """Write the mask of each state into a row of a batch.

        Args:
            states: one for each row.
            out: ``int32[batch, ceil(V / 32)]``, overwritten.
            remaining: see ``mask``; one for all rows, or one for each.

        Raises:
            ValueError: if ``out`` has another dtype or shape, or ``remaining`` does not have one entry for each row.

        >>> out = np.zeros((2, 1), np.int32)
        >>> compile_guide(Vocabulary.toy(), regex="1|a1").fill([0, FINISHED], out)
        >>> out.tolist()
        [[9], [0]]
        """
        if out.dtype != np.int32 or out.shape != (len(states), self._n_words):
            wanted = f"int32[{len(states)}, {self._n_words}]"
            raise ValueError(f"out must be {wanted} for {len(states)} states; it is {out.dtype}{list(out.shape)}")
        if remaining is None:
            return self._fill(states, out)
        budgets = repeat(remaining, len(states)) if isinstance(remaining, int) else remaining
        for row, state, budget in zip(out, states, budgets, strict=True):
            row[:] = self.mask(state, budget)

    def _fill(self, states: Sequence[State], out: NDArray[np.int32]) -> None:
        for place, state in enumerate(states):
            out[place] = self.mask(state)

    def prepare(self, progress: Callable[[int, int], object] | None = None) -> None:
        """Make the masks of all states now, instead of each when it is first asked for.

        Args:
            progress: called after each state with how many are done, and how many there are.

        >>> compile_guide(Vocabulary.toy(), regex="1*").prepare(print)
        1 1
        """
        self._fsm.prepare(progress)

    def advance(self, state: State, token_id: int) -> State:
        """Return the state after a token; after EOS it is ``FINISHED``.

        Raises:
            TokenNotAllowed: if the token may not come next: where the mask has no bit, or the vocabulary has no
                such id.

        >>> compile_guide(Vocabulary.toy(), regex="1").advance(0, 4)
        Traceback (most recent call last):
        labkit.errors.TokenNotAllowed: token 4 is not allowed in state 0
        """
        if state == FINISHED:
            raise TokenNotAllowed(token_id, "the finished state, after EOS")
        if token_id == self._eos_id and self._fsm.is_terminal(state):
            return FINISHED
        return self._fsm.next_state(state, token_id)

    def is_accepting(self, state: State) -> bool:
        """Return whether the text so far is a whole match; in the finished state it is.

        >>> compile_guide(Vocabulary.toy(), regex="1*").is_accepting(0)
        True
        """
        return bool(state == FINISHED or self._fsm.is_terminal(state))

    def tokens_to_accept(self, state: State) -> int | float:
        """Return the fewest tokens to an accepting state, EOS not counted.

        It is exact where a search that meets a few thousand states finds it; else how many bytes are enough, a bound.

        Returns:
            An int; ``inf`` where no sequence of tokens leads to an accepting state.

        >>> compile_guide(Vocabulary.toy(), regex="a1|b").tokens_to_accept(0)
        2
        """
        fewest = 0.0 if state == FINISHED else self._fsm.tokens_to_accept(state)
        return fewest if fewest == np.inf else int(fewest)

    # Byte by byte, for lab 10 --------------------------------------------------------------------------------

    def next_bytes(self, state: State) -> bytes:
        """Return the bytes that may come next, ascending: after each of them a match is possible.

        >>> guide = compile_guide(Vocabulary.toy(), regex="a1|aé")
        >>> guide.next_bytes(guide.initial), guide.next_bytes(guide.after_byte(guide.initial, ord("a")))
        (b'a', b'1\\xc3')
        """
        return b"" if state == FINISHED else self._fsm.next_bytes(state)

    def after_byte(self, state: State, byte: int) -> State:
        """Return the state after one of these bytes.

        >>> guide = compile_guide(Vocabulary.toy(), regex="1*")
        >>> guide.after_byte(guide.initial, ord("1")) == guide.initial
        True
        """
        return self._fsm.after_byte(state, byte)

    def is_whole(self, state: State) -> bool:
        """Return whether the bytes so far are whole characters.

        >>> guide = compile_guide(Vocabulary.toy(), regex="é")
        >>> guide.is_whole(guide.initial), guide.is_whole(guide.after_byte(guide.initial, 0xC3))
        (True, False)
        """
        return bool(state == FINISHED or self._fsm.is_whole(state))


class TokenGuide(Guide):
    """A guide through an automaton over tokens: it fills a batch at once, and forgets when it has made too much.

    Its states are ints. What it forgets is made again, so no text is refused for what another one visited.

    >>> type(compile_guide(Vocabulary.toy(), regex="1")).__name__
    'TokenGuide'
    """

    _fsm: HeldStates

    def advance(self, state: State, token_id: int) -> State:
        """Return the state after a token: one look-up, for a step that was taken before."""
        after = self._fsm.steps.get((state, token_id))
        return super().advance(state, token_id) if after is None else after

    def is_accepting(self, state: State) -> bool:
        """Return whether the text so far is a whole match, which is asked after each token."""
        accepts = self._fsm.accepts.get(state)
        return super().is_accepting(state) if accepts is None else accepts

    def places(self, state: State) -> list[int]:
        """Return where in the automaton that is the whole tree a state is; see ``LazyDfa.places``."""
        return self._fsm.places(state)

    def fill(
        self, states: Sequence[State], out: NDArray[np.int32], remaining: int | Sequence[int | None] | None = None
    ) -> None:
        """Write the mask of each state into a row of a batch: one gather, while no budget is near its end."""
        if isinstance(remaining, Sequence) and len(remaining) == len(states):
            ample = self._fsm.ample
            remaining = None if all(each is None or each >= ample for each in remaining) else remaining
        super().fill(states, out, remaining)

    def _fill(self, states: Sequence[State], out: NDArray[np.int32]) -> None:
        self._fsm.fill([DEAD if state == FINISHED else state for state in states], out)


class GrammarGuide(Guide):
    """A guide through the texts of a grammar. Its states hold a stack, so there is no end of them.

    ``tokens_to_accept`` is an upper bound: a token that ends two rules counts as two, except in the shortest text.

    >>> brackets = Vocabulary([b"[", b"]", b"]]", b"</s>"], eos_id=3)
    >>> guide = compile_guide(brackets, grammar='root ::= "[" root? "]"')
    >>> once = guide.advance(guide.initial, 0)
    >>> twice = guide.advance(once, 0)
    >>> guide.mask(once).tolist(), guide.mask(twice).tolist(), guide.advance(twice, 1) is once
    ([3], [7], False)
    """

    _fsm: "lab_12.PushdownFSM"

    @property
    def rules(self) -> "lab_12.Rules":
        """The grammar's rules over bytes."""
        return self._fsm.rules


def compile_regex(pattern: str) -> Matcher:
    r"""Compile a pattern to a matcher of whole texts.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: see lab 06.

    >>> compile_regex(r"\d{4}-\d\d").fullmatch("2026-11")
    True
    """
    return Matcher(lab_06.compile_dfa(pattern))


def compile_json_schema(
    schema: dict[str, Any] | bool,
    *,
    whitespace: str = "flexible",
    reading: str | Reading = "form",
    closed: bool | None = None,
    order: str | None = None,
) -> Matcher:
    """Compile a schema to a matcher of its JSON texts; it matches nothing if no value satisfies the schema.

    Args:
        whitespace: ``"flexible"`` or ``"compact"``.
        reading: what counts where the schema says nothing. ``"form"`` is for a model that fills in a form;
            ``"validator"`` takes all that a validator takes. Each is three choices, and ``labkit.reading.Reading``
            makes others of them: ``closed``, ``order``, and ``implied``.
        closed: whether an object has no members but those that the schema mentions, as in OpenAI's strict mode: a
            model that fills in a form should not invent fields. None is as the reading says. Keywords that speak of
            other members count either way.
        order: of an object's members. ``"schema"`` writes them as the schema lists them, as OpenAI's strict mode does:
            whoever asks for the reasons before the answer gets them in that order. ``"any"`` takes every order, as JSON
            does. None is as the reading says. Keys under ``properties`` and ``required`` are never repeated; in either
            order, others may be.

    Raises:
        ValueError: if there is no such reading, order or white space.
        InvalidSchema, UnsupportedSchema, LimitExceeded: see lab 08.

    >>> compile_json_schema({"type": "array", "items": {}}).fullmatch('[1, {"a": [[2]]}]')
    True
    >>> form = {"properties": {"a": {"type": "null"}}}
    >>> [compile_json_schema(form, closed=closed).fullmatch('{"a": null, "b": 1}') for closed in (True, False)]
    [False, True]
    >>> pair = {"properties": {"a": {"type": "null"}, "b": {"type": "null"}}}
    >>> [compile_json_schema(pair, order=order).fullmatch('{"b": null, "a": null}') for order in ("schema", "any")]
    [False, True]
    >>> [compile_json_schema({"minLength": 2}, reading=name).fullmatch("[1]") for name in ("form", "validator")]
    [False, True]
    """
    from mask_engine.operations import NOTHING
    from mask_engine.trees.compiler import schema_tree

    tree = schema_tree(schema, whitespace=whitespace, reading=reading_of(reading, closed, order))
    return Matcher(NOTHING if tree is None else LazyDfa(tree))


def compile_guide(
    vocabulary: Vocabulary,
    *,
    regex: str | None = None,
    json_schema: dict[str, Any] | bool | None = None,
    grammar: str | None = None,
    whitespace: str = "flexible",
    reading: str | Reading = "form",
    closed: bool | None = None,
    order: str | None = None,
) -> Guide:
    """Compile a pattern, a schema or a grammar to a guide through its texts, in the tokens of a vocabulary.

    Args:
        regex, json_schema, grammar: one of the three; a grammar is GBNF (lab 12).
        whitespace, reading, closed, order: for a schema, as ``compile_json_schema`` takes them.

    Raises:
        ValueError: unless exactly one of the three is given, or if there is no such reading, order or white space.
        InvalidPattern, UnsupportedPattern, LimitExceeded: see lab 06.
        InvalidSchema, UnsupportedSchema: see lab 08; also if no value satisfies the schema.
        InvalidGrammar: see lab 12.

    >>> compile_guide(Vocabulary.toy(), regex="[0-9]").mask(0).tolist()
    [8]
    >>> compile_guide(Vocabulary.toy())
    Traceback (most recent call last):
    ValueError: a guide needs one of regex, json_schema and grammar
    """
    return guide_of(vocabulary, texts_of(regex, json_schema, grammar, whitespace, reading_of(reading, closed, order)))


def texts_of(
    regex: str | None = None,
    json_schema: dict[str, Any] | bool | None = None,
    grammar: str | None = None,
    whitespace: str = "flexible",
    reading: Reading = READINGS["form"],
) -> "Texts":
    """Return what a guide is made of, for whatever vocabulary; see ``compile_guide``.

    It can be pickled, so it may be made in another process.

    >>> type(texts_of(regex="a*")).__name__
    'LazyDfa'
    """
    if [regex, json_schema, grammar].count(None) != 2:
        raise ValueError("a guide needs one of regex, json_schema and grammar")
    if grammar is not None:
        if find_spec("labs.lab_12_pushdown") is None:
            raise ValueError("a grammar needs lab 12, which this copy of the course does not have")
        from labs.lab_12_pushdown.given.gbnf import read_gbnf
        from labs.lab_12_pushdown.solution import Rules

        rules = read_gbnf(grammar)  # an automaton, where it needs no stack
        return Rules(rules) if len(rules) > 1 or called_rules(rules.rules[0]) else rules.rules[0]
    if regex is not None:
        words = words_of(regex)
        return literals(words) if words else LazyDfa(lab_06.parse_tree(regex))
    return LazyDfa(_tree_of_schema(json_schema, whitespace, reading))


def guide_of(vocabulary: Vocabulary, texts: "Texts") -> Guide:
    """Return a guide through texts: those of ``texts_of``, or of an automaton.

    A state at a whole character of a ``Dfa`` is the automaton's own.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> guide_of(Vocabulary.toy(), compile_dfa("[0-9]")).mask(0).tolist()
    [8]
    """
    if isinstance(texts, Dfa | LazyDfa | DfaStates):
        fsm = HeldStates(lab_07.TokenFSM(texts, index_of(vocabulary)))
        return TokenGuide(fsm, len(vocabulary), vocabulary.eos_id)
    from labs.lab_12_pushdown.solution import PushdownFSM

    return GrammarGuide(PushdownFSM(texts, index_of(vocabulary)), len(vocabulary), vocabulary.eos_id)


def structured_outputs(
    vocabulary: Vocabulary,
    *,
    jump: str | None = None,
    tokenizer: Callable[[str], Sequence[int]] | None = None,
    call: Call = at_once,
    **options: Any,
) -> "lab_09.StructuredOutputManager":
    """Return what an engine over this vocabulary asks about requests with a ``response_format``.

    Args:
        jump: how forced text is written without a pass: ``"single"``, ``"longest"`` or ``"whole"`` (lab 10); None for
            no jumps.
        tokenizer: the model's own, from a text to ids; ``"whole"`` needs it.
        call: calls what may take long, and may do so in another process.
        options: of lab 09's ``StructuredOutputManager``: ``submit``, ``max_guides``, ``max_compiling``, ``budget``,
            ``most_work``.

    Raises:
        ValueError: if there is no such policy, or ``"whole"`` has no tokenizer.

    >>> manager = structured_outputs(Vocabulary.toy(), max_guides=8)
    >>> manager.cache.max_guides
    8
    >>> structured_outputs(Vocabulary.toy(), jump="longest").jumper.policy
    'longest'
    """
    from labs.lab_09_inside_an_engine.solution import StructuredOutputManager

    compiled = partial(guide_of_format, vocabulary, call=call)
    if jump is None:
        return StructuredOutputManager(vocabulary, compiled, **options)
    from labs.lab_10_jump_forward.given.tokens import TokenBytes
    from labs.lab_10_jump_forward.solution import Jumper, JumpingManager

    return JumpingManager(vocabulary, compiled, jumper=Jumper(jump, TokenBytes(vocabulary, tokenizer)), **options)


def text_samplers(vocabulary: Vocabulary, most_work: int | None = None) -> Callable[[Request], TextSampler]:
    """Return what an engine over this vocabulary calls for a request with another sampler than ``"masked"``.

    Lab 13 has the samplers. In a copy of the course that ends before, such a request is refused.

    Args:
        most_work: how much work a turn may ask of a guide; None for no limit.

    >>> from labkit.engine import SamplingParams
    >>> request = Request("a", (3,), SamplingParams(sampler="smc"), {"type": "regex", "pattern": "1"})
    >>> next(text_samplers(Vocabulary.toy())(request))
    ()
    """

    def refuse(request: Request) -> TextSampler:
        said = "needs lab 13, which this copy of the course does not have"
        raise ValueError(f"the sampler {request.sampling_params.sampler} {said}")

    if find_spec("labs.lab_13_fair_sampling") is None:
        return refuse
    from mask_engine.sampling import TextSamplers

    return TextSamplers(vocabulary, most_work)


def tool_outputs(
    vocabulary: Vocabulary, format_name: str, *, call: Call = at_once, **options: Any
) -> "lab_11.ToolCallManager":
    """Return what an engine asks about requests with tools, or with a ``response_format``.

    Args:
        format_name: of the format in which the model writes calls, or an alias (lab 11's table).
        call, options: as those of ``structured_outputs``.

    Raises:
        ValueError: if there is no such format.

    >>> tool_outputs(Vocabulary.small(), "mistral").spelled
    {'[TOOL_CALLS]': '\\x01'}
    """
    from labs.lab_11_tool_calls import solution as lab_11
    from labs.lab_11_tool_calls.given.formats import format_named
    from mask_engine.tool_calls import TreeToolGuide

    row = format_named(format_name)

    def compile_tools(tools: Any, choice: Any, parallel: bool, form: Any = None, thinking: int | None = None) -> Any:
        more = tools, choice, parallel, manager.spelled, form, bool(thinking)
        answers, texts = call(texts_of_tools, format_name, *more)
        guide = guide_of(manager.vocabulary, texts)
        found = TreeToolGuide(guide, answers)
        return lab_11.ThinkingGuide(found, guide._fsm, thinking) if thinking else found

    compile_format = partial(guide_of_format, vocabulary, call=call)
    manager = lab_11.ToolCallManager(vocabulary, row, compile_tools, compile_format, **options)
    return manager


def texts_of_tools(
    format_name: str, tools: Any, choice: Any, parallel: bool, spelled: Any, form: Any = None, thinks: bool = False
) -> "tuple[Answers, Texts]":
    """Return the trees of the answers to a request with tools, and what their guide is made of.

    Args:
        form: lab 09's ``ResponseFormat`` of the answers without calls; None for free text.
        thinks: whether an answer begins with a thinking block.

    >>> from labs.lab_11_tool_calls.given.tools import Tool
    >>> answers, texts = texts_of_tools("hermes", [Tool("now")], "auto", True, {})
    >>> type(texts).__name__, len(answers.held) < len(answers.calls.dfa)
    ('LazyDfa', True)
    """
    from labs.lab_11_tool_calls.given.formats import format_named
    from mask_engine.tool_calls import tool_tree

    tree = form and _tree_of_format(form, "".join(spelled.values()))
    answers = tool_tree(format_named(format_name), tools, choice, tree, thinks, parallel=parallel, spelled=spelled)
    return answers, _ready(LazyDfa(answers.whole))


def _tree_of_format(wanted: "lab_09.ResponseFormat", special: str) -> Tree:
    """Return the tree of a format's texts, without the characters of special tokens, which JSON never has."""
    if wanted.kind in ("json_object", "json_schema"):
        schema = {"type": "object"} if wanted.kind == "json_object" else wanted.value
        return _tree_of_schema(schema, wanted.whitespace, wanted.reading)
    from mask_engine.operations import live
    from mask_engine.trees.within import within

    if wanted.kind == "grammar":
        rules = texts_of(grammar=wanted.value)
        if not isinstance(rules, Dfa):
            raise ValueError("if rules call rules, a grammar cannot stand beside tools or thinking: it needs a stack")
        tree: Tree = live(rules)
    else:
        tree = lab_06.parse_tree(wanted.value) if wanted.kind == "regex" else _choices(wanted.value)
    return within(tree, lab_06.compile_dfa(f"[^{special}]*")) if special else tree


def _tree_of_schema(schema: Any, whitespace: str, reading: Reading) -> Tree:
    from mask_engine.trees.compiler import schema_tree

    if (tree := schema_tree(schema, whitespace=whitespace, reading=reading)) is None:
        raise InvalidSchema("no value satisfies the schema", "")
    return tree


def _choices(texts: Sequence[str]) -> Dfa:
    together = "".join(texts)
    together.encode()  # raises for half a surrogate pair: no token has one
    if len(together) > MAX_PATTERN:
        raise LimitExceeded(f"the choices have {len(together):,} characters", MAX_PATTERN)
    return literals(texts)


def guide_of_format(vocabulary: Vocabulary, wanted: "lab_09.ResponseFormat", call: Call = at_once) -> Guide:
    """Compile a format that was read from a request; see ``texts_of_format``, which ``call`` calls.

    >>> from labs.lab_09_inside_an_engine.solution import ResponseFormat
    >>> guide = guide_of_format(Vocabulary.toy(), ResponseFormat("choice", '["1.", "a"]'))
    >>> guide.mask(guide.initial).tolist()
    [9]
    """
    return guide_of(vocabulary, call(texts_of_format, wanted))


def texts_of_format(wanted: "lab_09.ResponseFormat") -> "Texts":
    """Return what the guide of a format is made of, with all that takes long and needs no vocabulary.

    Raises:
        LimitExceeded: also if choices have more than lab 06's ``MAX_PATTERN`` characters.
        ValueError: if a choice has half a surrogate pair; see also ``compile_guide``.

    >>> from labs.lab_09_inside_an_engine.solution import ResponseFormat
    >>> type(texts_of_format(ResponseFormat("json_object", "null"))).__name__
    'LazyDfa'
    """
    if wanted.kind == "choice":
        return _ready(_choices(wanted.value))
    if wanted.kind == "json_object":
        return _ready(texts_of(json_schema={"type": "object"}))
    constraint: dict[str, Any] = {wanted.kind: wanted.value}
    return _ready(texts_of(**constraint, whitespace=wanted.whitespace, reading=wanted.reading))


def _ready(texts: "Texts") -> "Texts":
    """Return texts of which is known how many bytes they need, so that no budget has to wait for that."""
    if isinstance(texts, Dfa):
        texts = DfaStates(texts)
    if isinstance(texts, LazyDfa | DfaStates):
        _asked_for(texts.most_bytes)
    else:
        _asked_for(texts.bytes_to_end, texts.row(texts.initial[0]))
    return texts


def _asked_for(*what: object) -> None:
    """Do nothing: what is passed has been made, and its owner keeps it. (An ``assert`` asks for nothing under -O.)"""


def index_of(vocabulary: Vocabulary, cache: str | Path | None = None) -> lab_07.TokenVocabularyIndex:
    """Return the vocabulary made ready; it is made once for each vocabulary.

    Args:
        cache: a folder in which it is kept for other processes; lab 07's ``given/on_demand/disk.py`` says what
            trust that needs. Of no effect on a vocabulary that is ready.

    >>> vocabulary = Vocabulary.toy()
    >>> index_of(vocabulary) is index_of(vocabulary)
    True
    """
    if vocabulary not in _indexes:
        index = _indexes[vocabulary] = lab_07.TokenVocabularyIndex(vocabulary, cache)
        _asked_for(index.rows)  # here, before any guide
    return _indexes[vocabulary]
