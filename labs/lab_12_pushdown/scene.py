"""What ``python3 -m course show 12`` plays: brackets, by one stack, by all stacks, and by tables within a budget."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.pictures import Svg, line_chart
from labkit.scenes import Mask, Oracle, Scene, Steps, Written, whole_text
from labkit.scenes.endings import Ending, Function, Line, MakeSteps, Masks, answer, beside
from labkit.small_model.tokenizer import Tokenizer
from labkit.vocabulary import Vocabulary
from labs.lab_04_eos_gating.solution import choose
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.network import Network
from labs.lab_12_pushdown.given.stacks import END, items_of, stacks_of

_TEXTS = ("[", "]", "{", "}", "(", ")", "[[", "]]", "[{", "}]", "])", "[]", "{}", "x", ",", "],[", "[]]", " ")
VOCABULARY = Vocabulary([*(text.encode() for text in _TEXTS), b"</s>"], eos_id=len(_TEXTS))
"""Brackets, some of them two or three at a time, text that no bracket needs, and EOS."""

MOST = 12
"""How many tokens may be written, EOS included."""

GRAMMAR = 'root ::= ("(" root? ")" | "[" root? "]" | "{" root? "}")+'

_SHOWN = 4


class OneStack:
    """What a file with ``next_stack`` can do: follow one stack, byte by byte."""

    remark = "your next_stack, on one stack; no budget yet"

    def __init__(self, steps: Steps) -> None:
        self._next = partial(steps.call, "next_stack")
        self._network = Network(read_gbnf(steps.grammar))
        self.initial: Any = (self._network.initial[0],)
        self.after(self.initial, ord("?"))  # a file in which nothing is written stops here

    def after(self, stack: Any, byte: int) -> Any:
        """Return the stack after a byte, or None."""
        return self._next(self._network, stack, byte)

    def ended(self, stack: Any) -> bool:
        """Return whether every rule on the stack may end."""
        return all(state in self._network.ends for state in stack)

    def stacks(self, stack: Any) -> list[Sequence[int]]:
        """Return the stack, its top first."""
        return [stack[::-1]]


class SharedStacks:
    """What a file with ``step`` can do: follow all stacks, byte by byte."""

    remark = "your step, on all stacks at once; no tables and no budget yet"

    def __init__(self, steps: Steps) -> None:
        self._call = steps.call
        self._rules = steps.call("Rules", read_gbnf(steps.grammar))
        self.initial: Any = steps.call("pop_closure", self._rules, items_of([(self._rules.initial[0], END)]))
        self.after(self.initial, ord("?"))

    def after(self, kernel: Any, byte: int) -> Any:
        """Return the kernel after a byte, or None."""
        items = self._call("call_closure", self._rules, [item for item in kernel if item[0] != END])
        return self._call("step", self._rules, items, byte) or None

    def ended(self, kernel: Any) -> bool:
        """Return whether the text may end."""
        return any(state == END for state, _ in kernel)

    def stacks(self, kernel: Any) -> list[Sequence[int]]:
        """Return the stacks, their tops first."""
        return [stack[:-1] for stack in stacks_of(kernel)]


class WithTables:
    """What a whole file can do: masks from tables, with a budget."""

    def __init__(self, steps: Steps) -> None:
        index = steps.call("lab_07_bytes_and_vocabularies.TokenVocabularyIndex", steps.vocabulary)
        self.fsm = steps.call("PushdownFSM", read_gbnf(steps.grammar), index)
        self.initial: Any = self.fsm.initial_state
        self.fsm.make_tables_at_once()
        self.fsm.mask(self.initial, MOST)  # asks for every function
        share = self.fsm.table(self.fsm.rules.initial[0]).decided(steps.size)
        self.remark = f"at first {share:.0%} of the tokens are decided whatever the stack is"

    def after(self, state: Any, byte: int) -> Any:
        """Return the state after a byte, or None."""
        after = self.fsm.after_byte(state, byte)
        return None if after == DEAD else after

    def ended(self, state: Any) -> bool:
        """Return whether the text may end."""
        return bool(self.fsm.is_terminal(state))

    def stacks(self, state: Any) -> list[Sequence[int]]:
        """Return the stacks, their tops first."""
        return [stack[:-1] for stack in stacks_of(self.fsm.kernel(state))]


class Stacked(Steps):
    """One request: its state is a stack, or many, and they're followed by as much as the file under test has."""

    @cached_property
    def engine(self) -> OneStack | SharedStacks | WithTables:
        """The best that the file's functions allow."""
        for kind in (WithTables, SharedStacks):
            try:
                found: WithTables | SharedStacks | OneStack = kind(self)
            except NotImplementedError:
                continue
            break
        else:
            found = OneStack(self)
        self.remark = found.remark
        return found

    def initial(self) -> Any:
        """Return the initial state."""
        return self.engine.initial

    def stacks(self, state: Any) -> list[Sequence[int]]:
        """Return the stacks, their tops first."""
        return self.engine.stacks(state)

    def describe(self, state: Any) -> str:
        """Return the first stacks."""
        shown = " or ".join(" ".join(map(str, stack)) for stack in self.stacks(state)[:_SHOWN] if stack)
        return f"{shown}{', accepting' * self.engine.ended(state)}" if shown else "done: only EOS may follow"

    def distance(self, state: Any) -> float | None:
        """Return how many tokens are enough."""
        return float(self.engine.fsm.tokens_to_accept(state)) if isinstance(self.engine, WithTables) else None

    def bitmask(self, state: Any) -> NDArray[np.int32] | None:
        """Return the automaton's bitmask."""
        return np.asarray(self.engine.fsm.mask(state)) if isinstance(self.engine, WithTables) else None

    def legal(self, state: Any) -> Mask:
        """Return the mask: unpacked, or, before there are tables, every token byte by byte."""
        row = self.bitmask(state)
        return self._byte_by_byte(state) if row is None else self._unpacked(row)

    def affordable(self, state: Any, legal: Mask, remaining: int) -> Mask:
        """Return the tokens after which the rest of the budget closes everything."""
        if not isinstance(self.engine, WithTables):
            return legal
        return self._unpacked(np.asarray(self.engine.fsm.mask(state, remaining)))

    def _byte_by_byte(self, state: Any) -> Mask:
        after: dict[bytes, Any] = {b"": state}

        def read(text: bytes) -> Any:
            if text not in after:
                before = read(text[:-1])
                after[text] = None if before is None else self.engine.after(before, text[-1])
            return after[text]

        tokens, special = self.vocabulary.token_bytes, self.vocabulary.special_ids
        mask = [bool(token) and i not in special and read(token) is not None for i, token in enumerate(tokens)]
        mask[self.vocabulary.eos_id] = self.engine.ended(state)
        return np.array(mask)

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
        if isinstance(self.engine, WithTables):
            return self.engine.fsm.next_state(state, token_id)
        return reduce(self.engine.after, self.vocabulary.token_bytes[token_id], state)


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
            state = self._fsm.after_byte(state, byte)
        return state

    def is_match(self, text: Written) -> bool:
        """Return whether all brackets are closed."""
        state = self._after(whole_text(text))
        return bool(self._fsm.is_terminal(state))

    def rejection(self, before: str, token: str) -> str:
        """Return why nothing begins so."""
        return "" if self._after(before + token) != DEAD else f"no text begins {before + token!r}"


TREE = r'root ::= "{\"name\": \"" [a-z]+ "\", \"folders\": [" (root (", " root)*)? "]}"'
"""A folder, with folders in it to any depth, in the style in which the model writes JSON."""

PROMPT = "Hi! Folders: src holds test, code and build. test holds tools. JSON with name and folders. Thank you!"


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Answer with a tree, which ``json`` reads; then show how deep the student's stack gets, there and further down."""
    steps, ask = make_steps(TREE), partial(answer, PROMPT, max_tokens=DEEP, seed=SEED)
    masked = ask(Masks(steps), budget=True)
    yield from beside(PROMPT, ask(), masked, is_tree)
    assert isinstance(steps, Stacked)
    levels = Tokenizer.load().encode(LEVEL * LEVELS + "]}" * LEVELS)
    (in_answer, _), (in_levels, whole) = _depths(steps, masked.ids), _depths(steps, levels)
    yield f"folders in folders: the stack of this answer is up to {max(in_answer)} entries deep", None
    closed = "all" if whole else "not"
    yield f"{LEVELS} folders, each in the one before: {max(in_levels)} entries, {closed} closed", whole
    series = {"entries": [(float(place), float(depth)) for place, depth in enumerate(in_answer)]}
    title = "The stack of the tree, token by token"
    yield line_chart(series, title=title, x_label="tokens written", y_label="entries on the stack")
    yield "your own grammar: python3 -m course show 12 --pattern 'root ::= ...' --prompt '...'", None


def _depths(steps: Stacked, ids: Sequence[int]) -> tuple[list[int], bool]:
    """Return how deep the stack is before these tokens and after each, and whether the text may end after them."""
    states = [*accumulate(ids, steps.step, initial=steps.initial())]
    return [max(map(len, steps.stacks(state)), default=0) for state in states], steps.engine.ended(states[-1])


LEVEL, LEVELS = '{"name": "a", "folders": [', 100
"""A folder that is opened, and how many of them are opened in one another."""

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
    max_tokens=MOST,
    has_budget=True,
    on_model=(TREE, PROMPT),
    ending=Ending("brackets, counted on a stack", ending),
)
