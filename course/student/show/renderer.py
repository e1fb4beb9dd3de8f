"""A frame as lines of text, at most 80 columns wide: the same for a terminal and for a transcript."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len, set_cell_size
from rich.text import Text

from course.student.show.frames import Frame
from labkit.scenes import Scene
from labkit.vocabulary import Vocabulary

WIDTH = 80

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_BAR = 20
_TOP = 5
_BITS = 32
_WORDS = 3
"""How many words of a bitmask are drawn; of more, those that hold a token."""


@dataclass(frozen=True)
class Table:
    """Draws the tokens of one vocabulary: the favourites and what the mask makes of them, and the bits of a bitmask.

    >>> table = Table(Vocabulary.toy(), unicode=True)
    >>> for label, text in table.bitmask([11]):
    ...     print(f"{label:7}{text}")
    word 0 ........ ........ ........ ...01011            11
           3 '1', 1 '.', 0 'a'
    """

    vocabulary: Vocabulary
    unicode: bool

    def lines(self, frame: Frame) -> list[Text]:
        """Return the model's favourites, then those of what the mask left, and the chosen token."""
        wanted, left, count = softmax(frame.logits), None, ""
        shown = np.argsort(-wanted, kind="stable")[:_TOP].tolist()
        if frame.mask is not None:
            # the student's own masked logits; where the show stopped before them, those that the mask asks for
            left = softmax(np.where(frame.mask, frame.logits, -np.inf) if frame.masked is None else frame.masked)
            count = f"the mask leaves {int(frame.mask.sum())} of {len(wanted)} tokens"
            shown += [i for i in np.argsort(-left, kind="stable")[:_TOP].tolist() if left[i] > 0]
        shown = list(dict.fromkeys(shown))
        if frame.chosen is not None and frame.chosen not in shown:
            shown = [*shown[: 2 * _TOP - 1], frame.chosen]
        heading = Text(f"{'':16}{'the model wants':30}{count}".rstrip(), "dim")
        return [heading, *(self._token(frame, i, wanted, left) for i in shown)]

    def name(self, token_id: int) -> str:
        """Return a token as it is shown."""
        if token_id == self.vocabulary.eos_id:
            return "EOS"
        return self.quoted(self.vocabulary.texts()[token_id] or self.vocabulary.token_bytes[token_id])

    def quoted(self, token: str | bytes) -> str:
        r"""Return a token as Python writes it.

        >>> Table(Vocabulary.toy(), unicode=False).quoted("é\n"), Table(Vocabulary.toy(), unicode=True).quoted(b"\xe2")
        ("'\\xe9\\n'", "b'\\xe2'")
        """
        return repr(token) if self.unicode else ascii(token)

    def bar(self, share: float, cells: int) -> str:
        """Return a bar for a share of 1.

        >>> Table(Vocabulary.toy(), unicode=False).bar(0.5, 8), Table(Vocabulary.toy(), unicode=True).bar(0.55, 8)
        ('####', '████▍')
        """
        eighths = round(8 * cells * share)
        if not self.unicode:
            return "#" * round(eighths / 8)
        return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()

    def bitmask(self, words: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Yield two lines for each word: its bits, highest first, with its value; and its tokens in the same order.

        A dot stands where there is no token, unless the bit is set all the same.
        """
        size = len(self.vocabulary)
        shown = [number for number, word in enumerate(words) if word or len(words) <= _WORDS][:_WORDS]
        for number in shown:
            word = words[number]
            ids = range(_BITS * number, _BITS * (number + 1))[::-1]
            tokens = [i for i in ids if word >> i % _BITS & 1]
            bits = "".join("1" if i in tokens else "0" if i < size else "." for i in ids)
            groups = " ".join(bits[start : start + 8] for start in range(0, _BITS, 8))
            yield f"word {number}", f"{groups}  {word:12}"
            named = (f"{i} {self.name(i) if i < size else 'no such token'}" for i in tokens)
            yield "", ", ".join(named) or "no token"
        if len(shown) < len(words):
            yield "", f"and {len(words) - len(shown)} words more"

    def _token(self, frame: Frame, i: int, wanted: NDArray[np.float64], left: NDArray[np.float64] | None) -> Text:
        struck = frame.mask is not None and not frame.mask[i]
        line = Text("> ", "bold") if i == frame.chosen else Text("  ")
        name = cut(self.name(i), 13)
        line.append(name, "red strike" if struck else "").append(" " * (14 - cell_len(name)))
        line.append(self._share(wanted[i]), "yellow").append("  ")
        if struck:
            is_special = i in self.vocabulary.special_ids and i != self.vocabulary.eos_id
            is_legal = frame.legal is not None and frame.legal[i]
            line.append("struck: no budget" if is_legal else "struck: special" if is_special else "struck", "red")
        if left is not None and (not struck or left[i] > 0):
            line.append((" but " if struck else "") + self._share(left[i]), "green")
        line.rstrip()
        return line

    def _share(self, share: float) -> str:
        return f"{share:6.1%} {self.bar(share, _BAR):<{_BAR}}"


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return probabilities to draw: none at all where no logit is finite."""
    weights = np.where(np.isfinite(logits), np.exp(np.minimum(logits.astype(np.float64), 500.0)), 0.0)
    return np.asarray(weights / (weights.sum() or 1.0))


def cut(text: str, width: int) -> str:
    """Return the text if it fits, else its start."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 3) + "..."


@dataclass(frozen=True)
class Renderer:
    """Draws the frames of one scene, without ``unicode`` in ASCII."""

    scene: Scene
    lab: str
    file: str
    unicode: bool

    @property
    def _tokens(self) -> Table:
        return Table(self.scene.vocabulary, self.unicode)

    def lines(self, frame: Frame) -> list[Text]:
        """Return the whole picture, without the line of keys."""
        empty = Text()
        situation, tokens, outcome = self._situation(frame), self._tokens.lines(frame), self._outcome(frame)
        return [self._heading(frame), empty, *situation, empty, *tokens, empty, *outcome]

    def _heading(self, frame: Frame) -> Text:
        scene = self.scene
        parts = [
            self.lab,
            cut(self._plain(self.file), 20),
            self._plain(scene.grammar) if scene.kind == "pattern" else f"a {scene.kind}",
            f"{scene.model_name}, seed {scene.seed}",
            f"step {frame.number} of at most {scene.max_tokens}",
        ]
        used = sum(map(cell_len, parts)) + 3 * (len(parts) - 1)
        parts[2] = cut(parts[2], max(8, cell_len(parts[2]) - max(0, used - WIDTH)))
        return Text(cut((" · " if self.unicode else " | ").join(parts), WIDTH), "bold")

    def _situation(self, frame: Frame) -> list[Text]:
        """Return grammar, text, state, EOS, budget, and the bitmask."""
        scene, text, eos = self.scene, self._tokens.quoted(frame.text), "not known"
        while cell_len(text) > WIDTH - 10:  # its end is what matters
            text = "..." + text.removeprefix("...")[max(1, cell_len(text) - (WIDTH - 10)) :]
        if frame.mask is not None:
            eos = "legal" if frame.mask[scene.vocabulary.eos_id] else "not legal"
            eos += f" ({scene.eos_note})" if scene.eos_note else ""
        lines = [] if scene.kind == "pattern" else self._wrapped(scene.kind, scene.grammar, "")
        rows = [("prompt", scene.prompt), ("no mask", repr(scene.free_text))] if scene.model_name == "small" else []
        rows += [("text", text), ("state", frame.state or "not known"), ("EOS", eos)]
        if scene.has_budget:
            remaining = scene.max_tokens - frame.number + 1
            needed = "not known" if frame.distance is None else f"{frame.distance:g}, and EOS"
            rows.append(("budget", f"remaining: {remaining}; tokens to accept from here: {needed}"))
        if frame.bitmask is not None:
            rows += self._tokens.bitmask(frame.bitmask.tolist())
        return lines + [self._row(label, text) for label, text in rows]

    def _outcome(self, frame: Frame) -> list[Text]:
        """Return what was chosen, what comes next, and what there is to say about it."""
        lines = []
        if frame.chosen is not None:
            after = f"; next: state {frame.following}" if frame.following and self.scene.has_states else ""
            lines.append(self._row("chosen", f"{self._tokens.name(frame.chosen)} by u = {frame.u:.3f}{after}", "bold"))
        said = [("differs", self._difference(frame), "red")] if frame.right is not None else []
        said += [("note", frame.remark, ""), ("wrong", frame.objection, "red"), ("end", frame.end, "bold")]
        if frame.stop:
            said += [("", frame.stop.why, "bold yellow"), ("", frame.stop.hint, "")]
        said += [("printed", line, "dim") for line in frame.said[-2:]]
        return lines + [line for label, text, style in said if text for line in self._wrapped(label, text, style)]

    def _difference(self, frame: Frame) -> str:
        """Return where the student's mask is not the reference's; empty where they are equal."""
        assert frame.mask is not None and frame.right is not None
        kinds = {"yours strikes": frame.right & ~frame.mask, "yours leaves": frame.mask & ~frame.right}
        named = {kind: [self._tokens.name(i) for i in np.flatnonzero(wrong)[:4]] for kind, wrong in kinds.items()}
        more = {kind: int(wrong.sum()) - len(named[kind]) for kind, wrong in kinds.items()}
        parts = [
            f"{kind} {', '.join(names)}{f' and {more[kind]} more' * bool(more[kind])}"
            for kind, names in named.items()
            if names
        ]
        return f"{'; '.join(parts)}; the reference does not" if parts else ""

    def _wrapped(self, label: str, text: str, style: str) -> list[Text]:
        """Return at most three lines, the first one labelled."""
        indent = 10 if label else 0
        rows = textwrap.wrap(self._plain(text), WIDTH - indent, max_lines=3, placeholder=" ...")
        lines = [f"{label if not n else '':{indent}}{row}" for n, row in enumerate(rows)]
        return [Text(cut(line, WIDTH), style) for line in lines]

    def _row(self, label: str, text: str, style: str = "") -> Text:
        return Text().append(f"{label:10}", "dim").append(cut(self._plain(text), WIDTH - 10), style)

    def _plain(self, text: str) -> str:
        """Return a text on one line; what the console cannot show is escaped."""
        return "".join(c if c.isprintable() and (self.unicode or c.isascii()) else ascii(c)[1:-1] for c in text)
