"""What ``python3 -m course show 08`` plays: the student's regular expression of a schema, compiled by lab 06."""

import json
from collections.abc import Iterator
from functools import cached_property
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Dfa
from labkit.pictures import Svg, captioned
from labkit.scenes import CharacterOracle, DfaSteps, Mask, Oracle, Scene
from labkit.scenes.endings import MAX_TOKENS, Ending, Function, Line, MakeSteps, Masks, answer, beside
from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tasks.judging import judge
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa

_TEXTS = (
    *("{", "}", "[", "]", ":", ",", '"', "\\", "-", "0", "1", "7", "é", "\n", " the", " Sure"),
    *('{"', '":', ',"', '",', '"}', "hot", "size", "true", "false", "null", "01", "42", "low", "high"),
)
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(_TEXTS) + 1)
"""The signs of JSON, alone and in pairs, a few keys and values, half a character, and EOS."""

_SCHEMA = (
    '{"type": "object", "properties": {"hot": {"type": "boolean"}, "size": {"type": "integer"}}, "required": ["size"]}'
)


def whitespace_for(vocabulary: Vocabulary) -> str:
    """Return the policy of white space: none, but where the small model writes, which learned JSON with spaces."""
    return "flexible" if vocabulary is Vocabulary.small() else "compact"


class Described(DfaSteps):
    """The student's regular expression; the rest is the references', or in a chain the student's own."""

    @cached_property
    def automaton(self) -> Dfa:
        """From the schema to the student's regular expression to an automaton."""
        schema = json.loads(self.grammar)
        pattern = self.typed("json_schema_to_regex", str, schema, whitespace=whitespace_for(self.vocabulary))
        dfa = self.typed("lab_06_regex_to_dfa.compile_dfa", Dfa, pattern)
        states = f"{len(dfa)} state{'s' if len(dfa) > 1 else ''}"
        self.remark = f"a regular expression of {len(pattern)} characters, an automaton of {states}"
        return dfa

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return self.array("lab_04_eos_gating.mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("lab_04_eos_gating.choose", masked, u)


def oracle(scene: Scene) -> Oracle:
    """Return the automaton of the reference's regular expression as a judge.

    Raises:
        ValueError: on one line, if the grammar is no JSON.
    """
    from labs.lab_08_json_schema.solution import json_schema_to_regex

    try:
        schema = json.loads(scene.grammar)
    except json.JSONDecodeError as error:
        raise ValueError(f"{scene.grammar!a} is no JSON: {error}") from error
    automaton = compile_dfa(json_schema_to_regex(schema, whitespace=whitespace_for(scene.vocabulary)))
    return CharacterOracle(automaton, scene.vocabulary, nothing_matches="no value satisfies the schema")


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Answer with an object of a schema, which ``json`` and ``jsonschema`` judge."""
    prompt = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."
    steps = make_steps(json.dumps(ORDER))
    masked = answer(prompt, Masks(steps))
    yield from beside(prompt, answer(prompt), masked, _is_order)
    count = f"{len(masked.ids) + 1} of at most {MAX_TOKENS} tokens"
    yield f"{steps.remark}; {count}; {', '.join(ORDER['properties'])} as the schema wants them", None
    beside_it = _by_member(json.loads(masked.text)) if _is_order(masked.text) else [masked.text]
    right = ["", "", *beside_it]  # the members beside those of "properties"
    rows = [f"{left:58}{part}".rstrip() for left, part in zip_longest(_by_member(ORDER), right, fillvalue="")]
    yield captioned("What you asked for, and what you got", [(row, "mono") for row in rows])


def _is_order(text: str) -> bool:
    return judge(JsonForm(ORDER), text).valid


def _by_member(value: dict[str, Any]) -> list[str]:
    """Return an object as lines of JSON, one for each member, and for each member of ``properties``."""
    lines = []
    for name, member in value.items():
        inner = "\n  ".join(_by_member(member)) if name == "properties" else json.dumps(member)
        lines.append(f"  {json.dumps(name)}: {inner}")
    return ["{", *",\n".join(lines).splitlines(), "}"]


_TEXT = {"type": "string"}
ORDER: dict[str, Any] = {
    "type": "object",
    "properties": {"item": _TEXT, "quantity": {"type": "integer"}, "customer": _TEXT, "city": _TEXT},
    "required": ["item", "quantity", "customer", "city"],
}


SCENE = Scene(
    Described,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_08_json_schema"),
    grammar=_SCHEMA,
    kind="schema",
    vocabulary=VOCABULARY,
    max_tokens=16,
    on_model=(json.dumps(ORDER), "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."),
    ending=Ending("a schema, compiled to an automaton", ending),
)
