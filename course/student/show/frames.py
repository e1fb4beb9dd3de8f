"""One step of generation after another, each as a frame: all that there is to see of it, as plain data."""

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.core.catalog import Lab, find_lab
from course.student.core.hints import RAISE_TEXT, lab_data
from course.student.core.submission import Loader
from course.student.core.timeouts import TIMEOUT, TimeLimit, time_limit
from course.student.core.trace import safe_text, student_trace
from labkit.automata import Dfa, Fsm
from labkit.engine.receipts import receipt_of, total
from labkit.errors import PatternError
from labkit.scenes import Scene, Written, raw_bytes, written


class Stopped(Exception):
    """The show cannot go on: what was asked for, and why it failed. ``hint`` is a command, where one helps."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why, hint)
        self.why, self.hint = why, hint


class StudentFile:
    """The file under test of one lab. It is loaded when it is asked for, so that a fault in it can be shown."""

    def __init__(self, lab: Lab, loader: Loader) -> None:
        self.lab, self._loader = lab, loader

    def load(self) -> None:
        """Run the file; raise whatever it raises."""
        self._loader.load(self.lab)

    def function(self, name: str) -> Callable[..., Any]:
        """Return the file's function. One that the lab borrows from an earlier lab needs no import.

        An earlier lab's own (``lab_04_eos_gating.choose``) is the student's in a chain, the reference's elsewhere.
        """
        folder, _, bare = name.rpartition(".")
        lab = find_lab(folder) if folder else self.lab
        if folder:
            return reference(lab, bare)
        module = self._loader.load(lab)
        found = getattr(module, bare, None)
        if found is None and bare not in {todo.function for todo in lab_data(lab).todos.values()}:
            found = reference(lab, bare)
        assert callable(found), f"{Path(str(module.__file__)).name} has no function {bare}"
        return found  # type: ignore[no-any-return]

    @contextmanager
    def asked(self, what: str, seconds: float = 0.0) -> Iterator[None]:
        """Run a block of the student's code: whatever it raises, and a loop without end, becomes ``Stopped``.

        Args:
            seconds: of processor time that the block may use; 0 for what one test may.
        """
        try:
            with time_limit(seconds or TIMEOUT):
                yield
        except (KeyboardInterrupt, Stopped):
            raise
        except BaseException as error:
            raise self._stopped(what, error) from error

    def _stopped(self, what: str, error: BaseException) -> Stopped:
        trace = student_trace(error)
        if trace.todo:
            named = RAISE_TEXT.match(safe_text(error))
            hint = f"hint: python3 -m course hint {named['lab']}.{named['todo']}" if named else ""
            return Stopped(f"{what}: not written yet: {safe_text(error) or trace.frames[-1]}", hint)
        fault = " ".join((str(error.msg) if isinstance(error, SyntaxError) else safe_text(error)).split())
        if isinstance(error, TimeLimit) or (isinstance(error, AssertionError) and not trace.frames):
            return Stopped(f"{what}: {fault}")  # it names its place itself; or we complain about an answer
        fault = f"{type(error).__name__}: {fault}".removesuffix(": ")
        for frame in trace.frames[-1:]:
            owner = "" if frame.lab_number == self.lab.number else f"lab {frame.lab_number:02}'s "
            fault += f", at {owner}{frame}"
        return Stopped(f"{what}: {fault}")


@dataclass
class ScreenFrame:
    """One step. What was not reached, because the show stopped before it, is None or empty."""

    number: int
    text: Written
    logits: NDArray[np.float32]
    ids: tuple[int, ...] = ()
    """The tokens of the text."""
    drawn: tuple[Fsm | Dfa, int] | None = None
    """The automaton and the state in it, where the lab has one that can be drawn."""
    forced: tuple[bytes, list[int]] = (b"", [])
    """What must follow, in labs that look for it."""
    state: str = ""
    distance: float | None = None
    bitmask: NDArray[np.int32] | None = None
    """The mask in words of 32 tokens, where the lab packs it."""
    legal: NDArray[np.bool_] | None = None
    mask: NDArray[np.bool_] | None = None
    right: NDArray[np.bool_] | None = None
    """The reference's mask after the same text, where there is a reference."""
    masked: NDArray[np.float32] | None = None
    u: float | None = None
    chosen: int | None = None
    following: str = ""
    """The next state."""
    remark: str = ""
    objection: str = ""
    end: str = ""
    """Why this frame is the last one, if the show ends here of itself."""
    cost: str = ""
    """On the last frame: what the masks cost."""
    stop: Stopped | None = None
    said: list[str] = field(default_factory=list)
    """What the student's code printed meanwhile, warnings included."""


def reference(lab: Lab, name: str) -> Callable[..., Any]:
    """Return a function of a lab's ``solution``; ``lab_04_eos_gating.choose`` is that of another lab."""
    folder, _, bare = name.rpartition(".")
    return getattr(import_module(f"labs.{folder or lab.name}.solution"), bare)  # type: ignore[no-any-return]


class Reference:
    """The masks of a lab's reference after the same tokens; none where this copy has no reference.

    Args:
        apart: a block in which the references are themselves, for a show on the student's own earlier labs.
    """

    def __init__(self, scene: Scene, lab: Lab, apart: AbstractContextManager[object]) -> None:
        self._apart = apart
        self._max_tokens = scene.max_tokens
        self._alive, self._state = lab.has_reference, None
        with apart if self._alive else nullcontext():
            steps = import_module(f"labs.{lab.name}.scene").SCENE.steps
            self._steps = steps(partial(reference, lab), scene.grammar, scene.vocabulary)

    def mask(self, number: int, budget: bool) -> NDArray[np.bool_] | None:
        """Return the mask of this step, within the budget or not; None after a token that isn't legal."""
        if not self._alive or (self._state is None and number > 1):
            return None
        with self._apart:
            self._state = self._steps.initial() if number == 1 else self._state
            legal: NDArray[np.bool_] = self._steps.legal(self._state)
            most = self._max_tokens - number + 1
            return self._steps.affordable(self._state, legal, most) if budget else legal

    def follow(self, token_id: int) -> None:
        """Go on after a token that the student's mask has allowed, and the reference may not."""
        try:
            with self._apart:
                self._state = self._steps.step(self._state, token_id) if self._alive else None
        except Exception:
            self._alive = False


class Show:
    """The steps of one scene, with the functions of the file under test. A refused scene is a ValueError.

    Args:
        apart: see ``Reference``.
    """

    def __init__(self, scene: Scene, file: StudentFile, apart: AbstractContextManager[object] | None = None) -> None:
        self.scene, self._file, self._model = scene, file, scene.model
        self._steps = scene.steps(file.function, scene.grammar, scene.vocabulary)
        self._reference = Reference(scene, file.lab, apart or nullcontext())
        try:
            self._oracle = scene.oracle(file.lab.label)
        except PatternError as error:
            raise ValueError(str(error).splitlines()[0]) from error

    def frames(self) -> Iterator[ScreenFrame]:
        """Yield the frames, each made when it is asked for."""
        ids: list[int] = []
        receipts = []
        state: Any = None
        for number, u in enumerate(self.scene.us, start=1):
            frame = ScreenFrame(number, self._written(ids), self._model(ids), tuple(ids))
            heard = io.StringIO()
            try:
                with redirect_stdout(heard), redirect_stderr(heard):
                    state = self._step(frame, state, u)
            except Stopped as stopped:
                frame.stop = stopped
            frame.said = heard.getvalue().splitlines()
            if frame.chosen is not None and frame.mask is not None:
                receipts.append(receipt_of(frame.logits, frame.mask))
            if frame.end and receipts:
                frame.cost = str(total(receipts))
            yield frame
            if frame.stop or frame.end or frame.chosen is None:
                return
            ids.append(frame.chosen)

    def _written(self, ids: list[int]) -> Written:
        """Return the text of these tokens; special ones add nothing."""
        vocabulary = self.scene.vocabulary
        return written(b"".join(vocabulary.token_bytes[i] for i in ids if i not in vocabulary.special_ids))

    def _step(self, frame: ScreenFrame, state: Any, u: float) -> Any:
        """Fill the frame in, as far as the file under test allows; return the next state."""
        asked, steps = self._file.asked, self._steps
        if frame.number == 1:
            with asked("your file"):
                self._file.load()
            with asked("the automaton"):
                state = steps.initial()
        mask = self._look(frame, state)
        if not mask.any():
            frame.end = f"the mask leaves no token: {self._oracle.dead_end(frame.text)}"
            return None
        with asked("the masked logits"):
            frame.masked = steps.masked(frame.logits.copy(), mask.copy())
        with asked("the choice"):
            frame.chosen = chosen = steps.choose(frame.masked.copy(), u)
        frame.u = u
        frame.objection = self._oracle.objection(frame.text, chosen)
        frame.end = self._end(frame, chosen)
        if frame.end:
            frame.end += steps.ending(state)
            return None
        self._reference.follow(chosen)
        with asked("the next state"):
            state = steps.step(state, chosen)
            frame.following = "dead" if state is None else steps.describe(state)
        frame.end = "no state leads on" if state is None else ""
        return state

    def _look(self, frame: ScreenFrame, state: Any) -> NDArray[np.bool_]:
        """Return the mask, and note what there is to see of the state."""
        asked, steps = self._file.asked, self._steps
        with asked("the state"):
            frame.state, frame.remark = steps.describe(state), steps.remark
            frame.drawn, frame.forced = steps.drawn(state), steps.forced(state)
        with asked("tokens to accept"):
            frame.distance = steps.distance(state)
        with asked("what the mask leaves"):
            frame.bitmask = steps.bitmask(state)
            frame.legal = steps.legal(state)
        with asked("what the budget leaves"):
            frame.mask = steps.affordable(state, frame.legal, self.scene.max_tokens - frame.number + 1)
        frame.right = self._reference.mask(frame.number, budget=frame.distance is not None)
        return frame.mask

    def _end(self, frame: ScreenFrame, chosen: int) -> str:
        """Return why generation ends after this token, if it does."""
        if frame.objection:
            return "the text has left the language"
        if chosen == self.scene.vocabulary.eos_id:
            return self._oracle.at_eos(frame.text)
        if frame.number < self.scene.max_tokens:
            return ""
        text = written(raw_bytes(frame.text) + raw_bytes(self._written([chosen])))
        return f"{self.scene.max_tokens} tokens are spent: {text!r} is {self._oracle.at_limit(text)}"
