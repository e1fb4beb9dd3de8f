"""What ``python3 -m course show 12`` plays: brackets within a budget, by the student's stacks."""

import json
from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.scenes import Mask, Oracle, Scene, Steps, Written, whole_text
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, Masks, answer, beside
from labkit.vocabulary import Vocabulary
from labs.lab_04_eos_gating.solution import choose
from labs.lab_12_pushdown.given.gbnf import read_gbnf

_TEXTS = ("[", "]", "{", "}", "(", ")", "[[", "]]", "[{", "}]", "])", "[]", "{}", "x", ",", "],[", "[]]", " ")
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"</s>"], eos_id=len(_TEXTS))
"""Brackets, some of them two or three at a time, text that no bracket needs, and EOS."""

GRAMMAR = 'root ::= ("(" root ")" | "[" root "]" | "{" root "}")*'

_SHOWN = 4


class Stacked(Steps):
    """One request: its state is a set of stacks, of which the first is written out."""

    @cached_property
    def automaton(self) -> Any:
        """The student's automaton over tokens."""
        index = self.call("lab_07_bytes_and_vocabularies.TokenVocabularyIndex", self.vocabulary)
        fsm = self.call("PushdownFSM", read_gbnf(self.grammar), index)
        share = fsm.table(fsm.rules.initial[0]).decided(self.size)
        self.remark = f"at first {share:.0%} of the tokens are decided whatever the stack is"
        return fsm

    def initial(self) -> Any:
        """Return the automaton's initial state."""
        return self.automaton.initial_state

    def describe(self, state: Any) -> str:
        """Return the stacks, the tops first."""
        stacks = self.typed("stacks_of", list, state.kernel)
        shown = " or ".join(" ".join(map(str, stack[:-1])) for stack in stacks[:_SHOWN])
        return f"{shown or 'nothing left'}{', accepting' if state.ended else ''}"

    def distance(self, state: Any) -> float | None:
        """Return how many tokens are enough."""
        return float(self.automaton.tokens_to_accept(state))

    def bitmask(self, state: Any) -> NDArray[np.int32]:
        """Return the automaton's bitmask."""
        return np.asarray(self.automaton.mask(state))

    def legal(self, state: Any) -> Mask:
        """Return the same, a bit for each token."""
        return self._unpacked(self.bitmask(state))

    def affordable(self, state: Any, legal: Mask, remaining: int) -> Mask:
        """Return the tokens after which the rest of the budget closes everything."""
        return self._unpacked(np.asarray(self.automaton.mask(state, remaining)))

    def _unpacked(self, row: NDArray[np.int32]) -> Mask:
        return np.unpackbits(row.astype("<i4").view(np.uint8), bitorder="little")[: self.size].astype(np.bool_)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return choose(masked, u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return the state after the token."""
        return self.automaton.next_state(state, token_id)


class Stack(Oracle):
    """Judges by the reference, byte by byte."""

    def __init__(self, scene: Scene) -> None:
        from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
        from labs.lab_12_pushdown.solution import PushdownFSM

        super().__init__(scene.vocabulary)
        self._fsm = PushdownFSM(read_gbnf(scene.grammar), TokenVocabularyIndex(scene.vocabulary))

    def _after(self, text: str) -> Any:
        state: Any = self._fsm.initial_state
        for byte in text.encode():
            state = self._fsm.after_byte(state, byte) if state is not None else None
        return state

    def is_match(self, text: Written) -> bool:
        """Return whether all brackets are closed."""
        state = self._after(whole_text(text))
        return state is not None and bool(state.ended)

    def rejection(self, before: str, token: str) -> str:
        """Return why nothing begins so."""
        return "" if self._after(before + token) is not None else f"no text begins {before + token!r}"


TREE = r'root ::= "{\"name\": \"" [a-z]+ "\", \"folders\": [" (root (", " root)*)? "]}"'
"""A folder, with folders in it to any depth, in the style in which the model writes JSON."""

PROMPT = "Hi! Folders: src holds test, code and build. test holds tools. JSON with name and folders. Thank you!"


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Answer with a tree, and show how deep the student's stack was; ``json`` reads the tree."""
    steps, ask = make_steps(TREE), partial(answer, PROMPT, max_tokens=DEEP, seed=SEED)
    masked = ask(Masks(steps), budget=True)
    yield from beside(PROMPT, ask(), masked, is_tree)
    state, depths = steps.initial(), []
    for token_id in masked.ids:
        state = steps.step(state, token_id)
        depths.append(max(map(len, function("stacks_of")(state.kernel)), default=0))
    yield f"folders in folders: the stack was up to {max(depths)} entries deep, and may grow for ever", None
    yield "your own grammar: python3 -m course show 12 --pattern 'root ::= ...' --prompt '...'", None


SEED = 2
"""Of the seeds 0 to 2 the first with the folders where the prompt has them; every tree is well formed."""

DEEP = 128


def is_tree(text: str) -> bool:
    """Return whether a text is JSON of folders in folders."""
    try:
        return _is_folder(json.loads(text))
    except ValueError:
        return False


def _is_folder(value: Any) -> bool:
    return isinstance(value, dict) and [*value] == ["name", "folders"] and all(map(_is_folder, value["folders"]))


SCENE = Scene(
    Stacked,
    Stack,
    judged_by=("lab_07_bytes_and_vocabularies", "lab_12_pushdown"),
    grammar=GRAMMAR,
    kind="grammar",
    model_name="random",
    vocabulary=VOCABULARY,
    max_tokens=12,
    has_budget=True,
    on_model=(TREE, PROMPT),
    ending=Ending("brackets, counted on a stack", ending),
)
