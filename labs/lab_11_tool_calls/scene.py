"""What ``python3 -m course show 11`` plays: free text and calls, by the student's automaton."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.scenes import CharacterOracle, DfaSteps, Mask, Oracle, Scene, Walked
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, answer
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.lab_11_tool_calls import ab
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.grammars import spelling
from labs.lab_11_tool_calls.given.joining import Joined, Triggers, shared_alphabet
from labs.lab_11_tool_calls.given.openings import spelled_out
from labs.lab_11_tool_calls.given.tools import Tool

_TEXTS = (
    *("<", ">", "/", "{", "}", "now", "stop", "no", '"', "é", "n", "o", "p", "s", "t", "w"),
    *(" the", " Sure", "</function", "{}</", "!<", "function>", "<function=", "<fun", "ction=", " Sure<function="),
    *(
        "<function=now>",
        "<function=go",
        "<function=stop>{",
        "now>{}",
        "}</function>",
        "{}</function> the",
        "</function>",
    ),
)
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"\xe2\x82", b"</s>"], eos_id=len(_TEXTS) + 1)
"""The parts of two calls, cut in several ways, some text, half a character, and EOS."""


def read(grammar: str, vocabulary: Vocabulary) -> tuple[Any, list[Tool], dict[str, str], Vocabulary]:
    """Return the format and the tools of a scene, and how its vocabulary spells the format's special tokens.

    Raises:
        ValueError: if there is no such format, or no tool.

    >>> read("llama now stop", VOCABULARY)[1][1].name
    'stop'
    """
    name, *names = grammar.split()
    if not names:
        raise ValueError("a scene of tool calls is a format and the names of tools, such as: llama now stop")
    return format_named(name), [Tool(each) for each in names], *spelling(format_named(name), vocabulary)


class BothModes(DfaSteps):
    """Every mask walks every token through the student's joined automaton."""

    @cached_property
    def joined(self) -> Any:
        """The student's automaton."""
        row, tools, spelled, vocabulary = read(self.grammar, self.vocabulary)
        self.texts = vocabulary.texts()
        try:
            joined = self.call("tool_automaton", row, tools, spelled=spelled)
        except NotImplementedError:
            self.remark = "your triggers alone: no call may begin yet"
            return self.without_calls(spelled_out(row, spelled).triggers)
        self.remark = f"{len(joined.held)} free states, {len(joined.dfa) - len(joined.held)} inside calls"
        return joined

    def without_calls(self, texts: tuple[str, ...]) -> Any:
        """Return the automaton of free text in which none of these triggers is ever complete."""
        try:
            triggers = self.call("make_triggers", texts)
        except NotImplementedError:
            self.remark += "; each failure is the root, until you've written failure_links"
            children, ends = self.call("build_trie", texts)
            triggers = Triggers(children, [0] * len(children), ends)
        alphabet = shared_alphabet([], set("".join(texts)))
        free = np.array([trigger is None for trigger in triggers.found])
        rows = np.array(self.call("free_rows", triggers, alphabet.symbols))
        dfa = Dfa(alphabet.bounds, alphabet.classes, np.where(free[rows], rows, DEAD), 0, free)
        return Joined(dfa, triggers.depths)

    @cached_property
    def automaton(self) -> Dfa:
        """Its transitions."""
        dfa: Dfa = self.joined.dfa
        return dfa

    def describe(self, state: Walked) -> str:
        """Return the state's number and its mode, and what a stream would hold back."""
        if state.state >= len(self.joined.held):
            return f"{state.state}: inside a call"
        held = self.joined.held[state.state]
        return f"{state.state}: free" + (f", {state.text[-held:]!r} held back" if held else "")

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return self.array("lab_04_eos_gating.mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("lab_04_eos_gating.choose", masked, u)


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton as a judge.

    Raises:
        ValueError: if the grammar is refused.
    """
    from labs.lab_11_tool_calls.solution import tool_automaton

    row, tools, spelled, vocabulary = read(scene.grammar, scene.vocabulary)
    return CharacterOracle(tool_automaton(row, tools, spelled=spelled).dfa, vocabulary)


STYLE, PLACE = "llama4_pythonic", 48
"""The first of 150 prompts in each of the corpus's formats whose free answer breaks, and whose masked one makes the
calls that were asked for: after the words, and in the middle of the second call."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer a prompt that wants words and calls: freely, and with the words free and the calls masked."""
    from mask_engine import guide_of  # it needs labs 06 to 08, which a student's copy may still lack
    from mask_engine.tool_calls.arguments import with_all_keywords

    example, row = ab.prompts(STYLE, PLACE + 1, words=True)[PLACE], ab.ROWS[STYLE]
    tools = ab.offered(example)
    spelled, vocabulary = spelling(row, Vocabulary.small())
    joined = function("tool_automaton")(row, with_all_keywords(tools), spelled=spelled)
    guide = function("ToolGuide")(guide_of(vocabulary, joined.dfa), joined)
    ask = partial(answer, example.prompt, seed=PLACE, max_tokens=ab.MAX_TOKENS)
    free, masked = ask(), ask(guide, budget=True)
    yield f"tools: {', '.join(tool.name for tool in tools)}", None
    yield f"prompt: {example.prompt.splitlines()[-1]}", None
    for name, given in (("no mask", free), ("mask", masked)):
        found = ab.judged(row, example, given.text, ran_out=not given.ended)
        verdict = found.why or ("the calls that were asked for" if found.right else "valid calls")
        yield f"{name}: {given.text!r}, {verdict}", not found.why
    state, modes = guide.initial, []
    for token_id in masked.ids:
        modes.append(bool(guide.is_free(state)))
        state = guide.advance(state, token_id)
    words = Tokenizer.load().decode(masked.ids[: modes.index(False)] if False in modes else masked.ids)
    yield f"free for {modes.count(True)} tokens, up to {words!r}; then {modes.count(False)} inside calls", None


PROMPT = "Tools:\nget_weather(city: string, unit: celsius|fahrenheit)\nStyle: hermes\nWeather in Rome in celsius?"


SCENE = Scene(
    BothModes,
    oracle,
    judged_by=("lab_11_tool_calls",),
    grammar="llama now stop",
    kind="format",
    model_name="random",
    vocabulary=VOCABULARY,
    max_tokens=14,
    on_model=("hermes get_weather", PROMPT),
    ending=Ending("calls in the middle of free text", ending),
)
