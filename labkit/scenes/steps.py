"""How the functions of a student's file make one step: a state, a mask, a choice, the next state."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from labkit.automata import Dfa, Fsm
from labkit.checking import check_array, check_type
from labkit.scenes.automata import accepts_in, follow
from labkit.vocabulary import Vocabulary

T = TypeVar("T")
Mask = NDArray[np.bool_]


class Steps:
    """What the labs have in common. A state is whatever the lab remembers between steps, None where it is dead.

    Args:
        function: gives a function of the file under test by its name.
        grammar: the pattern or schema of the scene.

    Attributes:
        remark: what there is to say about the automaton, once it is made.
    """

    def __init__(self, function: Callable[[str], Callable[..., Any]], grammar: str, vocabulary: Vocabulary) -> None:
        self.function = function
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.texts = vocabulary.texts()
        self.size = len(self.texts)
        self.remark = ""

    # The steps: a lab's scene says those that differ from labs 01 to 03.

    def initial(self) -> Any:
        """Return the state before the first token."""
        raise NotImplementedError

    def describe(self, state: Any) -> str:
        """Return a state in words."""
        raise NotImplementedError

    def distance(self, state: Any) -> float | None:
        """Return the fewest tokens to an accepting state, where the lab knows it."""
        return None

    def drawn(self, state: Any) -> tuple[Fsm | Dfa, int] | None:
        """Return the automaton and the number of a state in it, where the lab has one that can be drawn."""
        return None

    def forced(self, state: Any) -> tuple[bytes, list[int]]:
        """Return what must follow, and its tokens, in labs that look for it."""
        return b"", []

    def bitmask(self, state: Any) -> NDArray[np.int32] | None:
        """Return the mask of a state as a bitmask, where the lab packs it."""
        return None

    def legal(self, state: Any) -> Mask:
        """Return the mask of a state, for the grammar alone."""
        raise NotImplementedError

    def affordable(self, state: Any, legal: Mask, remaining: int) -> Mask:
        """Return what the budget leaves of the mask."""
        return legal

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return self.array("apply_mask", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the token that is emitted."""
        return self.token("sample", self.call("softmax", masked), u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return the state after a token."""
        raise NotImplementedError

    def ending(self, state: Any) -> str:
        """Return what to add to the reason why the text ends, after the token that was chosen in this state."""
        return ""

    # Work, in labs whose masks are counted.

    counts = ""
    """What ``counted_mask`` counts; empty in labs that do not."""

    def counted_mask(self, text: str) -> tuple[Mask, int]:
        """Return the mask after a viable prefix, made for it alone, and the work that it took."""
        raise NotImplementedError

    # Calls of the student's functions. Each checks what comes back.

    def call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """Call a function of the file under test."""
        return self.function(name)(*arguments, **keywords)

    def array(self, name: str, dtype: DTypeLike, shape: tuple[int, ...], *arguments: Any) -> NDArray[Any]:
        """Call a function that must give an array of this dtype and shape.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self.call(name, *arguments)
        check_array(value, dtype, shape, self._place(name))
        return value  # type: ignore[no-any-return]

    def typed(self, name: str, kind: type[T], *arguments: Any, **keywords: Any) -> T:
        """Call a function that must give exactly this type.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self.call(name, *arguments, **keywords)
        check_type(value, kind, self._place(name))
        return value  # type: ignore[no-any-return]

    def token(self, name: str, *arguments: Any) -> int:
        """Call a function that must give a token id.

        Raises:
            AssertionError: if it gives anything else.
        """
        value = self.typed(name, int, *arguments)
        assert 0 <= value < self.size, f"{self._place(name)} gave {value}; the ids are 0 to {self.size - 1}"
        return value

    def _place(self, name: str) -> str:
        """Return ``mask_row (starter.py:35)``: where an answer came from that no traceback leads to."""
        code = getattr(self.function(name), "__code__", None)
        return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code else name


class FsmSteps(Steps):
    """Steps over the states of an ``Fsm``."""

    @cached_property
    def fsm(self) -> Fsm:
        """The automaton that the masks are made from."""
        raise NotImplementedError

    def initial(self) -> Any:
        """Return the automaton's initial state."""
        return self.fsm.initial

    def drawn(self, state: int) -> tuple[Fsm | Dfa, int]:
        """Return the automaton and this state."""
        return self.fsm, state

    def describe(self, state: int) -> str:
        """Return its number, and whether a match may end there."""
        return f"{state}, accepting" if state in self.fsm.accepting else str(state)


class PreparedSteps(FsmSteps):
    """Steps of labs in which automaton and table are given, and EOS is a token like the others."""

    @cached_property
    def prepared(self) -> Any:
        """Automaton and table."""
        return self.call("prepare", self.grammar, self.vocabulary)

    @cached_property
    def fsm(self) -> Fsm:
        """The automaton, as the lab prepares it."""
        return self.prepared[0]  # type: ignore[no-any-return]

    @cached_property
    def table(self) -> Any:
        """The table, as the lab prepares it."""
        return self.prepared[1]

    def legal(self, state: int) -> Mask:
        """Return the state's mask, EOS in it."""
        return self.array("mask_row", np.bool_, (self.size,), self.fsm, self.table, state, self.vocabulary)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask; never all of them struck."""
        return self.array("mask_logits", logits.dtype, logits.shape, logits, mask)

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return self.token("choose", masked, u)

    def step(self, state: int, token_id: int) -> int | None:
        """Follow a transition of the table."""
        return self.table[state].get(token_id)  # type: ignore[no-any-return]


class Walked(NamedTuple):
    """Where a walk over a ``Dfa`` stands: the text so far, and the state after it."""

    text: str
    state: int


class DfaSteps(Steps):
    """Steps over a ``Dfa`` that the student's functions compile; every mask walks every token."""

    @cached_property
    def automaton(self) -> Dfa:
        """The student's own automaton."""
        raise NotImplementedError

    def initial(self) -> Walked:
        """Return the automaton's initial state."""
        return Walked("", self.automaton.initial)

    def drawn(self, state: Walked) -> tuple[Fsm | Dfa, int]:
        """Return the automaton and the state of this place."""
        return self.automaton, state.state

    def describe(self, state: Walked) -> str:
        """Return its number, of how many."""
        accepting = ", accepting" * accepts_in(self.automaton, state.state)
        return f"{state.state} of 0 to {len(self.automaton) - 1}{accepting}"

    def legal(self, state: Walked) -> Mask:
        """Return the tokens that the automaton survives, and EOS where a match may end."""
        alive = [bool(text) and follow(self.automaton, state.state, text or "") is not None for text in self.texts]
        alive[self.vocabulary.eos_id] = self.may_end(state)
        return np.array(alive, dtype=np.bool_)

    def may_end(self, state: Walked) -> bool:
        """Return whether a match may end here."""
        return accepts_in(self.automaton, state.state)

    def step(self, state: Walked, token_id: int) -> Walked | None:
        """Walk over the token's text."""
        text = self.texts[token_id] or ""
        target = follow(self.automaton, state.state, text)
        return None if target is None else Walked(state.text + text, target)
