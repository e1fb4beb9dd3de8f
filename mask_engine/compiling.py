"""From a pattern, a schema or a grammar to a matcher of texts, or to a guide through the tokens of a vocabulary."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from labkit.automata.dfa import Dfa
from labkit.automata.grammar import called_rules
from labkit.errors import InvalidSchema
from labkit.reading import READINGS, Reading, reading_of
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_06_regex_to_dfa.given.words import literals, words_of
from labs.lab_07_bytes_and_vocabularies import solution as lab_07
from labs.lab_07_bytes_and_vocabularies.given.on_demand.fsm import TokenStates
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import DfaStates
from mask_engine.guides import Guide
from mask_engine.held import HeldStates
from mask_engine.patterns.lazy import LazyDfa, Tree

if TYPE_CHECKING:  # a copy of the course may end before this lab, or before lab 08
    from labs.lab_12_pushdown import solution as lab_12
    from labs.lab_12_pushdown.given.stack_states import StackStates

Texts: TypeAlias = "Dfa | LazyDfa | DfaStates | lab_12.Rules"
"""What a guide is made of, for whatever vocabulary: states over characters, or the rules of a grammar."""

_indexes: WeakKeyDictionary[Vocabulary, lab_07.TokenVocabularyIndex] = WeakKeyDictionary()
"""Each vocabulary made ready, for as long as it is in use."""


class Matcher:
    """A compiled pattern or schema, which tells the texts that match from those that don't.

    >>> number = compile_regex("0x[0-9a-f]+")
    >>> number.fullmatch("0x1f"), number.fullmatch("0x")
    (True, False)
    """

    def __init__(self, dfa: "Dfa | LazyDfa | StackStates") -> None:
        self._dfa = dfa

    def fullmatch(self, text: str) -> bool:
        """Return whether the whole text matches.

        >>> compile_regex("a|ab").fullmatch("ab"), compile_regex("a|ab").fullmatch("abb")  # it tries both options
        (True, False)
        """
        if not isinstance(self._dfa, Dfa) and self._dfa.is_full:
            self._dfa, _ = self._dfa.anew()
        return lab_06.fullmatch(self._dfa, text)


def compile_regex(pattern: str) -> Matcher:
    r"""Compile a pattern to a matcher of whole texts.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: see lab 06.

    >>> [compile_regex(r"\d{4}-\d\d").fullmatch(text) for text in ("2026-11", "2026-11-29")]
    [True, False]
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
            model that fills in a form should not invent fields. None follows the reading. Keywords about other
            members count either way.
        order: of an object's members. ``"schema"`` writes them as the schema lists them, as OpenAI's strict mode does:
            whoever asks for the reasons before the answer gets them in that order. ``"any"`` takes every order, as JSON
            does. None is as the reading says. Keys under ``properties`` and ``required`` are never repeated; in either
            order, others may be.

    Raises:
        ValueError: if there is no such reading, order or white space.
        InvalidSchema, UnsupportedSchema, LimitExceeded: see lab 08.

    >>> reply = {"properties": {"reasons": {"type": "string"}, "answer": {"type": "integer"}}}
    >>> invented, hasty = '{"answer": 4, "mood": "good"}', '{"answer": 4, "reasons": "2 + 2"}'
    >>> [compile_json_schema(reply, closed=closed).fullmatch(invented) for closed in (True, False)]
    [False, True]
    >>> [compile_json_schema(reply, order=order).fullmatch(hasty) for order in ("schema", "any")]
    [False, True]

    A validator ignores ``minLength`` where there's no text. In a form it says that a text is wanted:

    >>> [compile_json_schema({"minLength": 2}, reading=name).fullmatch("7") for name in ("form", "validator")]
    [False, True]
    """
    from mask_engine.operations import NOTHING
    from mask_engine.trees.compiler import schema_tree

    tree = schema_tree(schema, whitespace=whitespace, reading=reading_of(reading, closed, order))
    return Matcher(NOTHING if tree is None else characters_of(LazyDfa(tree)))


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
    """Compile a pattern, a schema or a grammar to a guide, which tells an engine the tokens that may come next.

    Args:
        regex, json_schema, grammar: one of the three; a grammar is GBNF (lab 12).
        whitespace, reading, closed, order: for a schema, as ``compile_json_schema`` takes them.

    Raises:
        ValueError: unless exactly one of the three is given, or if there is no such reading, order or white space.
        InvalidPattern, UnsupportedPattern, LimitExceeded: see lab 06.
        InvalidSchema, UnsupportedSchema: see lab 08; also if no value satisfies the schema.
        InvalidGrammar: see lab 12.

    >>> compile_guide(Vocabulary.toy(), regex="[0-9]").mask(0).tolist()  # of a . .2 1 and EOS only 1, which is bit 3
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
    """Return what a guide is made of before it has a vocabulary; see ``compile_guide``.

    It can be pickled, so another process can make it.

    >>> texts_of(regex="yes|no").fewest_bytes(0)  # known without a vocabulary: "no" is two bytes
    2
    """
    if [regex, json_schema, grammar].count(None) != 2:
        raise ValueError("a guide needs one of regex, json_schema and grammar")
    if grammar is not None:
        lab = _lab_12()
        rules = lab.read_gbnf(grammar)  # an automaton, where it needs no stack
        texts: Texts = lab.Rules(rules) if len(rules) > 1 or called_rules(rules.rules[0]) else rules.rules[0]
        return texts
    if regex is not None:
        words = words_of(regex)
        return literals(words) if words else LazyDfa(lab_06.parse_tree(regex))
    return LazyDfa(tree_of_schema(json_schema, whitespace, reading))


def guide_of(vocabulary: Vocabulary, texts: "Texts") -> Guide:
    """Return a guide through the texts of ``texts_of``, or of an automaton.

    Between characters, the states of a ``Dfa`` keep their numbers.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> digits = compile_dfa("[0-9]+")
    >>> guide_of(Vocabulary.toy(), digits).advance(0, 3), digits.step(0, ord("1"))  # token 3 is "1"
    (1, 1)
    """
    fsm: TokenStates
    if isinstance(texts, Dfa | DfaStates) or (isinstance(texts, LazyDfa) and not texts.nests):
        fsm = lab_07.TokenFSM(texts, index_of(vocabulary))
    else:
        fsm = _lab_12().PushdownFSM(texts, index_of(vocabulary))
    return Guide(HeldStates(fsm), vocabulary)


def characters_of(texts: LazyDfa) -> "LazyDfa | StackStates":
    """Return the automaton of some texts over characters, which has a stack if they nest.

    >>> from mask_engine.trees.compiler import schema_tree
    >>> type(characters_of(LazyDfa(schema_tree({"type": "null"})))).__name__
    'LazyDfa'
    >>> type(characters_of(LazyDfa(schema_tree({"type": "array"})))).__name__  # arrays in arrays need a stack
    'StackStates'
    """
    return _lab_12().stack_states(texts) if texts.nests else texts


def _lab_12() -> Any:
    if find_spec("labs.lab_12_pushdown") is None:
        raise ValueError("texts that nest without end need lab 12, which this copy of the course does not have")
    from labs.lab_12_pushdown import solution

    return solution


def tree_of_schema(schema: Any, whitespace: str, reading: Reading) -> Tree:
    """Return the tree of a schema's JSON texts.

    Raises:
        InvalidSchema: also if no value satisfies the schema.

    >>> tree_of_schema(False, "flexible", READINGS["form"])
    Traceback (most recent call last):
    labkit.errors.InvalidSchema: no value satisfies the schema, at the root of the schema
    """
    from mask_engine.trees.compiler import schema_tree

    if (tree := schema_tree(schema, whitespace=whitespace, reading=reading)) is None:
        raise InvalidSchema("no value satisfies the schema", "")
    return tree


def index_of(vocabulary: Vocabulary, cache: str | Path | None = None) -> lab_07.TokenVocabularyIndex:
    """Return the index of a vocabulary. It takes a while to make, so each vocabulary's is made once and kept.

    Args:
        cache: a folder in which it is kept for other processes; lab 07's ``given/on_demand/disk.py`` says what
            trust that needs. Of no effect on a vocabulary that is ready.

    >>> vocabulary = Vocabulary.toy()
    >>> index_of(vocabulary) is index_of(vocabulary)
    True
    """
    if vocabulary not in _indexes:
        index = _indexes[vocabulary] = lab_07.TokenVocabularyIndex(vocabulary, cache)
        asked_for(index.rows)  # here, before any guide
    return _indexes[vocabulary]


def asked_for(*what: object) -> None:
    """Do nothing: what is passed has been made, and its owner keeps it. (An ``assert`` asks for nothing under -O.)"""
