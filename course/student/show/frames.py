"""One step of generation after another, each as a frame: all that there is to see of it, as plain data."""

import io
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.show.student_file import Stopped, StudentFile, asking
from labkit.errors import PatternError
from labkit.scenes import Scene, Written, raw_bytes, written


@dataclass
class Frame:
    """One step. What was not reached, because the show stopped before it, is None or empty."""

    number: int
    text: Written
    logits: NDArray[np.float32]
    state: str = ""
    distance: float | None = None
    bitmask: NDArray[np.int32] | None = None
    """The mask in words of 32 tokens, where the lab packs it."""
    legal: NDArray[np.bool_] | None = None
    mask: NDArray[np.bool_] | None = None
    masked: NDArray[np.float32] | None = None
    u: float | None = None
    chosen: int | None = None
    following: str = ""
    """The next state."""
    remark: str = ""
    objection: str = ""
    end: str = ""
    """Why this frame is the last one, if the show ends here of itself."""
    stop: Stopped | None = None
    said: list[str] = field(default_factory=list)
    """What the student's code printed meanwhile, warnings included."""


class Show:
    """The steps of one scene, with the functions of the file under test.

    Raises:
        ValueError: if the scene is refused; none of the student's code has run then.
    """

    def __init__(self, scene: Scene, file: StudentFile) -> None:
        self.scene = scene
        self._model = scene.model
        self._lab = file.lab
        self._file = file
        self._steps = scene.steps(file.function, scene.grammar, scene.vocabulary)
        try:
            self._oracle = scene.oracle(file.lab.label)
        except PatternError as error:
            raise ValueError(str(error).splitlines()[0]) from error

    def frames(self) -> Iterator[Frame]:
        """Yield the frames, each made when it is asked for."""
        ids: list[int] = []
        state: Any = None
        for number, u in enumerate(self.scene.us, start=1):
            frame = Frame(number, self._written(ids), self._model(ids))
            heard = io.StringIO()
            try:
                with redirect_stdout(heard), redirect_stderr(heard):
                    state = self._step(frame, state, u)
            except Stopped as stopped:
                frame.stop = stopped
            frame.said = heard.getvalue().splitlines()
            yield frame
            if frame.stop or frame.end or frame.chosen is None:
                return
            ids.append(frame.chosen)

    def _written(self, ids: list[int]) -> Written:
        """Return the text of these tokens; special ones add nothing."""
        vocabulary = self.scene.vocabulary
        return written(b"".join(vocabulary.token_bytes[i] for i in ids if i not in vocabulary.special_ids))

    def _step(self, frame: Frame, state: Any, u: float) -> Any:
        """Fill the frame in, as far as the file under test allows; return the next state."""
        if frame.number == 1:
            with asking(self._lab, "your file"):
                self._file.load()
            with asking(self._lab, "the automaton"):
                state = self._steps.initial()
        mask = self._look(frame, state)
        if not mask.any():
            frame.end = f"the mask leaves no token: {self._oracle.dead_end(frame.text)}"
            return None
        chosen = self._choose(frame, mask, u)
        frame.end = self._end(frame, chosen)
        return None if frame.end else self._follow(frame, state, chosen)

    def _look(self, frame: Frame, state: Any) -> NDArray[np.bool_]:
        """Return the mask, and note what there is to see of the state."""
        with asking(self._lab, "the state"):
            frame.state, frame.remark = self._steps.describe(state), self._steps.remark
        with asking(self._lab, "tokens to accept"):
            frame.distance = self._steps.distance(state)
        with asking(self._lab, "what the mask leaves"):
            frame.bitmask = self._steps.bitmask(state)
            frame.legal = self._steps.legal(state)
        remaining = self.scene.max_tokens - frame.number + 1
        with asking(self._lab, "what the budget leaves"):
            frame.mask = self._steps.affordable(state, frame.legal, remaining)
        return frame.mask

    def _choose(self, frame: Frame, mask: NDArray[np.bool_], u: float) -> int:
        with asking(self._lab, "the masked logits"):
            frame.masked = self._steps.masked(frame.logits.copy(), mask.copy())
        with asking(self._lab, "the choice"):
            frame.chosen = self._steps.choose(frame.masked.copy(), u)
        frame.u = u
        frame.objection = self._oracle.objection(frame.text, frame.chosen)
        return frame.chosen

    def _follow(self, frame: Frame, state: Any, chosen: int) -> Any:
        """Return the next state, which may be the end."""
        with asking(self._lab, "the next state"):
            state = self._steps.step(state, chosen)
            frame.following = "dead" if state is None else self._steps.describe(state)
        if state is None:
            frame.end = "no state leads on"
        return state

    def _end(self, frame: Frame, chosen: int) -> str:
        """Return why generation ends after this token, if it does."""
        if frame.objection:
            return "the text has left the language"
        if chosen == self.scene.vocabulary.eos_id:
            return self._oracle.at_eos(frame.text)
        if frame.number < self.scene.max_tokens:
            return ""
        text = written(raw_bytes(frame.text) + raw_bytes(self._written([chosen])))
        return f"{self.scene.max_tokens} tokens are spent: {text!r} is {self._oracle.at_limit(text)}"
