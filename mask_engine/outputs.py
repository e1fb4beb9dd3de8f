"""What a serving engine asks about its requests: their formats (lab 09), their tools (lab 11), their samplers (lab 13).

A copy of the course may end before any of these labs, so each is imported where it's needed.
"""

import operator
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from labkit.automata.dfa import Dfa
from labkit.engine.request import Request, TextSampler
from labkit.errors import LimitExceeded
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_06_regex_to_dfa.given.check import MAX_PATTERN
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import DfaStates
from mask_engine.compiling import Texts, asked_for, guide_of, texts_of, tree_of_schema
from mask_engine.guides import Guide
from mask_engine.patterns.lazy import LazyDfa, Tree

if TYPE_CHECKING:
    from labs.lab_09_inside_an_engine import solution as lab_09
    from labs.lab_11_tool_calls import solution as lab_11
    from mask_engine.tool_calls.answers import Answers

Call = Callable[..., Any]
"""Calls a function with arguments, at once or elsewhere, and returns its result."""


def structured_outputs(
    vocabulary: Vocabulary,
    *,
    jump: str | None = None,
    tokenizer: Callable[[str], Sequence[int]] | None = None,
    call: Call = operator.call,
    **options: Any,
) -> "lab_09.StructuredOutputManager":
    """Return the manager that an engine with this vocabulary asks about requests with a ``response_format``.

    Args:
        jump: how forced text is written without a pass: ``"single"``, ``"longest"`` or ``"whole"`` (lab 10); None for
            no jumps.
        tokenizer: the model's own, from a text to ids; ``"whole"`` needs it.
        call: calls what may take long, and may do so in another process.
        options: of lab 09's ``StructuredOutputManager``: ``submit``, ``max_guides``, ``max_compiling``, ``budget``,
            ``most_work``.

    Raises:
        ValueError: if there is no such policy, or ``"whole"`` has no tokenizer.

    >>> structured_outputs(Vocabulary.toy(), max_guides=8).cache.max_guides
    8
    >>> structured_outputs(Vocabulary.toy(), jump="whole")
    Traceback (most recent call last):
    ValueError: the policy 'whole' needs the model's tokenizer
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
    >>> next(text_samplers(Vocabulary.toy())(request))  # its first question: what comes after the prompt alone?
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
    vocabulary: Vocabulary, format_name: str, *, call: Call = operator.call, **options: Any
) -> "lab_11.ToolCallManager":
    """Return the manager that an engine asks about requests with tools, or with a ``response_format``.

    Args:
        format_name: of the format in which the model writes calls, or an alias (lab 11's table).
        call, options: as those of ``structured_outputs``.

    Raises:
        ValueError: if there is no such format.

    >>> tool_outputs(Vocabulary.small(), "mistral").spelled  # a special token is one character to the automaton
    {'[TOOL_CALLS]': '\\x01'}
    """
    from labs.lab_11_tool_calls import solution as lab_11
    from labs.lab_11_tool_calls.given.formats import format_named
    from mask_engine.tool_calls.answers import TreeToolGuide

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

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from labs.lab_11_tool_calls.given.tools import Tool
    >>> _, texts = texts_of_tools("hermes", [Tool("now")], "required", False, {})
    >>> call = '<tool_call>\\n{"name": "now", "arguments": {}}\\n</tool_call>'
    >>> fullmatch(texts, call), fullmatch(texts, call.replace("now", "then")), fullmatch(texts, "It's noon.")
    (True, False, False)
    """
    from labs.lab_11_tool_calls.given.formats import format_named
    from mask_engine.tool_calls.answers import tool_tree

    tree = form and _tree_of_format(form, "".join(spelled.values()))
    answers = tool_tree(format_named(format_name), tools, choice, tree, thinks, parallel=parallel, spelled=spelled)
    return answers, _ready(LazyDfa(answers.whole))


def _tree_of_format(wanted: "lab_09.ResponseFormat", special: str) -> Tree:
    """Return the tree of a format's texts, without the characters of special tokens, which JSON never has."""
    if wanted.kind in ("json_object", "json_schema"):
        schema = {"type": "object"} if wanted.kind == "json_object" else wanted.value
        return tree_of_schema(schema, wanted.whitespace, wanted.reading)
    from mask_engine.operations import live
    from mask_engine.tool_calls.answers import rules_tree
    from mask_engine.trees.within import within

    if wanted.kind == "grammar":
        rules: Any = texts_of(grammar=wanted.value)
        tree: Tree = live(rules) if isinstance(rules, Dfa) else rules_tree(rules)
    else:
        tree = lab_06.parse_tree(wanted.value) if wanted.kind == "regex" else _choices(wanted.value)
    return within(tree, lab_06.compile_dfa(f"[^{special}]*")) if special else tree


def _choices(texts: Sequence[str]) -> Dfa:
    together = "".join(texts)
    together.encode()  # raises for half a surrogate pair: no token has one
    if len(together) > MAX_PATTERN:
        raise LimitExceeded(f"the choices have {len(together):,} characters", MAX_PATTERN)
    return literals(texts)


def guide_of_format(vocabulary: Vocabulary, wanted: "lab_09.ResponseFormat", call: Call = operator.call) -> Guide:
    """Compile a format that was read from a request; see ``texts_of_format``, which ``call`` calls.

    >>> from labs.lab_09_inside_an_engine.solution import ResponseFormat
    >>> guide = guide_of_format(Vocabulary.toy(), ResponseFormat("choice", '["1.", "a"]'))
    >>> guide.mask(guide.initial).tolist()  # "1" begins the one and "a" is the other: bits 3 and 0
    [9]
    """
    return guide_of(vocabulary, call(texts_of_format, wanted))


def texts_of_format(wanted: "lab_09.ResponseFormat") -> "Texts":
    """Return what the guide of a format is made of, with all that takes long and needs no vocabulary.

    Raises:
        LimitExceeded: also if choices have more than lab 06's ``MAX_PATTERN`` characters.
        ValueError: if a choice has half a surrogate pair; see also ``compile_guide``.

    >>> from labs.lab_09_inside_an_engine.solution import ResponseFormat
    >>> texts_of_format(ResponseFormat("json_object", "null")).fewest_bytes(0)  # an empty object, {}
    2
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
        asked_for(texts.most_bytes)
    else:
        asked_for(texts.bytes_to_end(texts.initial[0]))
    return texts
