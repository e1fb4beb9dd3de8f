"""One step of generation after another, each as a frame: all that there is to see of it, as plain data."""

import io
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from course.student.show.act import Act
from course.student.show.own import Own, Stopped, asking
from course.student.show.programme import act_of, referee_of
from course.student.show.scene import Scene
from course.student.show.texts import Written, raw_bytes, written


@dataclass
class Frame:
    """One step. What was not reached, because the show stopped before it, is None or empty."""

    number: int
    text: Written
    logits: NDArray[np.float32]
    state: str = ""
    distance: float | None = None
    words: NDArray[np.int32] | None = None
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
        ValueError: if the scene is refused; nothing of the student's has run then.
    """

    def __init__(self, scene: Scene, own: Own) -> None:
        self.scene = scene
        self.referee = referee_of(scene)
        self._act: Act = act_of(scene.lab.number)(own, scene)
        self._own = own

    def frames(self) -> Iterator[Frame]:
        """The frames, each made when it is asked for."""
        ids: list[int] = []
        state: Any = None
        for number, u in enumerate(self.scene.us, start=1):
            frame = Frame(number, self._written(ids), self.scene.model(ids))
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
        """The text of these tokens; special ones add nothing."""
        vocabulary = self.scene.vocabulary
        return written(b"".join(vocabulary.token_bytes[i] for i in ids if i not in vocabulary.special_ids))

    def _step(self, frame: Frame, state: Any, u: float) -> Any:
        """Fill the frame in, as far as the file under test allows; the next state."""
        if frame.number == 1:
            state = self._first_state()
        self._look(frame, state)
        assert frame.mask is not None
        if not frame.mask.any():
            frame.end = f"the mask leaves no token: {self.referee.dead_end(frame.text)}"
            return None
        self._choose(frame, u)
        return self._follow(frame, state)

    def _first_state(self) -> Any:
        with asking(self.scene.lab, "your file"):
            self._own.load()
        with asking(self.scene.lab, "the automaton"):
            return self._act.initial()

    def _look(self, frame: Frame, state: Any) -> None:
        act, lab = self._act, self.scene.lab
        with asking(lab, "the state"):
            frame.state, frame.remark = act.tell(state), act.remark
        with asking(lab, "tokens to accept"):
            frame.distance = act.distance(state)
        with asking(lab, "what the mask leaves"):
            frame.words = act.words(state)
            frame.legal = act.legal(state)
        remaining = self.scene.max_tokens - frame.number + 1
        with asking(lab, "what the budget leaves"):
            frame.mask = act.affordable(state, frame.legal, remaining)

    def _choose(self, frame: Frame, u: float) -> None:
        assert frame.mask is not None
        with asking(self.scene.lab, "the masked logits"):
            frame.masked = self._act.masked(frame.logits.copy(), frame.mask.copy())
        with asking(self.scene.lab, "the choice"):
            frame.chosen = self._act.choose(frame.masked.copy(), u)
        frame.u = u
        frame.objection = self.referee.objection(frame.text, frame.chosen)

    def _follow(self, frame: Frame, state: Any) -> Any:
        """The next state, or the end."""
        assert frame.chosen is not None
        frame.end = self._end(frame)
        if frame.end:
            return None
        with asking(self.scene.lab, "the next state"):
            state = self._act.step(state, frame.chosen)
            frame.following = "dead" if state is None else self._act.tell(state)
        if state is None:
            frame.end = "no state leads on"
        return state

    def _end(self, frame: Frame) -> str:
        """Why generation ends after this token, if it does."""
        if frame.objection:
            return "the text has left the language"
        if frame.chosen == self.scene.vocabulary.eos_id:
            return self.referee.at_eos(frame.text)
        if frame.number < self.scene.max_tokens:
            return ""
        text = written(raw_bytes(frame.text) + raw_bytes(self._written([frame.chosen or 0])))
        return f"{self.scene.max_tokens} tokens are spent: {text!r} is {self.referee.at_limit(text)}"
