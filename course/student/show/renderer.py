"""A frame as lines of text, at most 80 columns wide: the same for a terminal and for a transcript."""

import textwrap
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from course.student.show.frames import Frame
from course.student.show.glyphs import Glyphs
from course.student.show.table import Table
from labkit.scenes import Scene

WIDTH = 80


@dataclass(frozen=True)
class Renderer:
    """Draws the frames of one scene."""

    scene: Scene
    lab: str
    file: str
    glyphs: Glyphs

    @property
    def _in_heading(self) -> bool:
        """Whether the heading has room for the grammar."""
        return self.scene.kind == "pattern"

    @property
    def _tokens(self) -> Table:
        return Table(self.scene.vocabulary, self.glyphs)

    def lines(self, frame: Frame) -> list[Text]:
        """Return the whole picture, without the line of keys."""
        return [
            self._heading(frame),
            Text(),
            *self._situation(frame),
            *self._bitmask(frame),
            Text(),
            *self._tokens.lines(frame),
            Text(),
            *self._outcome(frame),
        ]

    def _heading(self, frame: Frame) -> Text:
        scene = self.scene
        parts = [
            self.lab,
            self.glyphs.cut(self.glyphs.plain(self.file), 20),
            self.glyphs.plain(scene.grammar) if self._in_heading else f"a {scene.kind}",
            f"{scene.model_name}, seed {scene.seed}",
            f"step {frame.number} of at most {scene.max_tokens}",
        ]
        used = sum(map(cell_len, parts)) + 3 * (len(parts) - 1)
        parts[2] = self.glyphs.cut(parts[2], max(8, cell_len(parts[2]) - max(0, used - WIDTH)))
        return Text(self.glyphs.cut(f" {self.glyphs.dot} ".join(parts), WIDTH), "bold")

    def _situation(self, frame: Frame) -> list[Text]:
        """Return grammar, text, state, EOS, budget."""
        scene = self.scene
        lines = [
            *([] if self._in_heading else self._wrapped(scene.kind, scene.grammar, "")),
            self._row("text", self.glyphs.tail(self.glyphs.quoted(frame.text), WIDTH - 10)),
            self._row("state", frame.state or "not known"),
            self._row("EOS", self._eos(frame)),
        ]
        if scene.has_budget:
            remaining = scene.max_tokens - frame.number + 1
            needed = "not known" if frame.distance is None else f"{frame.distance:g}, and EOS"
            lines.append(self._row("budget", f"remaining: {remaining}; tokens to accept from here: {needed}"))
        return lines

    def _bitmask(self, frame: Frame) -> list[Text]:
        words = [] if frame.bitmask is None else frame.bitmask.tolist()
        return [self._row(label, text) for label, text in self._tokens.bitmask(words)]

    def _eos(self, frame: Frame) -> str:
        if frame.mask is None:
            return "not known"
        legal = "legal" if frame.mask[self.scene.vocabulary.eos_id] else "not legal"
        return legal + (f" ({self.scene.eos_note})" if self.scene.eos_note else "")

    def _outcome(self, frame: Frame) -> list[Text]:
        """Return what was chosen, what comes next, and what there is to say about it."""
        lines = []
        if frame.chosen is not None:
            after = f"; next: state {frame.following}" if frame.following and self.scene.has_states else ""
            lines.append(self._row("chosen", f"{self._tokens.name(frame.chosen)} by u = {frame.u:.3f}{after}", "bold"))
        said = [("note", frame.remark, ""), ("wrong", frame.objection, "red"), ("end", frame.end, "bold")]
        if frame.stop:
            said += [("", frame.stop.why, "bold yellow"), ("", frame.stop.hint, "")]
        said += [("printed", line, "dim") for line in frame.said[-2:]]
        return lines + [line for label, text, style in said if text for line in self._wrapped(label, text, style)]

    def _wrapped(self, label: str, text: str, style: str) -> list[Text]:
        """Return at most three lines, the first one labelled."""
        indent = 10 if label else 0
        rows = textwrap.wrap(self.glyphs.plain(text), WIDTH - indent, max_lines=3, placeholder=" ...")
        lines = [f"{label if not n else '':{indent}}{row}" for n, row in enumerate(rows)]
        return [Text(self.glyphs.cut(line, WIDTH), style) for line in lines]

    def _row(self, label: str, text: str, style: str = "") -> Text:
        return Text().append(f"{label:10}", "dim").append(self.glyphs.cut(self.glyphs.plain(text), WIDTH - 10), style)
