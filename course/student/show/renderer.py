"""A frame as lines of text, at most 80 columns wide: the same for a terminal and for a transcript."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from course.student.core.trace import visible
from course.student.show.frames import ScreenFrame
from course.student.show.traces import step_of, token_name
from labkit.pictures.palette import TERMINAL
from labkit.scenes import Scene, written
from labkit.vocabulary import Vocabulary

WIDTH = 80

Step = dict[str, Any]
"""A step of a trace; see ``course.student.show.traces``."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_BAR = 20
_BITS = 32
_WORDS = 3
"""How many words of a bitmask are drawn; of more, those that hold a token."""


@dataclass(frozen=True)
class TokenTable:
    """Draws the tokens of one vocabulary: the favourites and what the mask makes of them, and the bits of a bitmask.

    >>> table = TokenTable(Vocabulary.toy(), unicode=True)
    >>> for label, text in table.bitmask([11]):
    ...     print(f"{label:7}{text}")
    word 0 ........ ........ ........ ...01011            11
           3 '1', 1 '.', 0 'a'
    """

    vocabulary: Vocabulary
    unicode: bool

    def lines(self, step: Step) -> list[Text]:
        """Return the tokens that a step names, and what its mask makes of them."""
        mask = step["mask"]
        count = f"the mask leaves {mask['count']} of {len(self.vocabulary)} tokens" if mask else ""
        heading = Text(f"{'':16}{'the model wants':30}{count}".rstrip(), "dim")
        return [heading, *(self._token(step, row) for row in step["tokens"])]

    def name(self, token_id: int) -> str:
        """Return a token as it is shown."""
        name = token_name(self.vocabulary, token_id)
        return name if self.unicode else name.encode("ascii", "backslashreplace").decode()

    def quoted(self, token: str | bytes) -> str:
        r"""Return a token as Python writes it.

        >>> [TokenTable(Vocabulary.toy(), unicode=False).quoted(text) for text in ("é\n", b"\xe2")]
        ["'\\xe9\\n'", "b'\\xe2'"]
        """
        return repr(token) if self.unicode else ascii(token)

    def bar(self, share: float, cells: int) -> str:
        """Return a bar for a share of 1.

        >>> [TokenTable(Vocabulary.toy(), unicode=unicode).bar(0.55, 8) for unicode in (False, True)]
        ['####', '████▍']
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
            named = (f"{i} {self.name(i).removesuffix(f' #{i}') if i < size else 'no such token'}" for i in tokens)
            yield "", ", ".join(named) or "no token"
        if len(shown) < len(words):
            yield "", f"and {len(words) - len(shown)} words more"

    def _token(self, step: Step, row: dict[str, Any]) -> Text:
        line = Text("> ", "bold") if row["id"] == step["chosen"] else Text("  ")
        name, why, left = cut(self.name(row["id"]), 13), row["struck"], row["left"]
        line.append(name, TERMINAL["struck out"] if why else "").append(" " * (14 - cell_len(name)))
        line.append(self._share(row["wanted"]), "yellow").append("  ")
        if why:
            words = {"budget": "struck: no budget", "special": "struck: special"}.get(why, "struck")
            line.append(words, TERMINAL["struck"])
        if left is not None and (not why or left > 0):
            line.append((" but " if why else "") + self._share(left), TERMINAL["allowed"])
        line.rstrip()
        return line

    def _share(self, share: float) -> str:
        return f"{share:6.1%} {self.bar(share, _BAR):<{_BAR}}"


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
    def _tokens(self) -> TokenTable:
        return TokenTable(self.scene.vocabulary, self.unicode)

    def lines(self, frame: ScreenFrame) -> list[Text]:
        """Return the whole picture."""
        empty, step = Text(), step_of(self.scene, frame)
        situation, tokens, outcome = self._situation(step), self._tokens.lines(step), self._outcome(step)
        return [self._heading(step), empty, *situation, empty, *tokens, empty, *outcome]

    def _heading(self, step: Step) -> Text:
        scene = self.scene
        parts = [
            self.lab,
            cut(self._plain(self.file), 20),
            self._plain(scene.grammar) if scene.kind == "pattern" else f"a {scene.kind}",
            f"{scene.model_name}, seed {scene.seed}",
            f"step {step['number']} of at most {scene.max_tokens}",
        ]
        used = sum(map(cell_len, parts)) + 3 * (len(parts) - 1)
        parts[2] = cut(parts[2], max(8, cell_len(parts[2]) - max(0, used - WIDTH)))
        return Text(cut((" · " if self.unicode else " | ").join(parts), WIDTH), "bold")

    def _situation(self, step: Step) -> list[Text]:
        """Return grammar, text, state, EOS, budget, and the bitmask."""
        scene, eos = self.scene, "not known"
        text = self._tokens.quoted(written(bytes.fromhex(step["bytes"])))
        while cell_len(text) > WIDTH - 10:  # its end is what matters
            text = "..." + text.removeprefix("...")[max(1, cell_len(text) - (WIDTH - 10)) :]
        if step["mask"]:
            eos = "legal" if step["mask"]["eos"] else "not legal"
            eos += f" ({scene.eos_note})" if scene.eos_note else ""
        lines = [] if scene.kind == "pattern" else self._wrapped(scene.kind, scene.grammar, "")
        rows = [("prompt", scene.prompt), ("no mask", repr(scene.free_text))] if scene.model_name == "small" else []
        rows += [("text", text), ("state", step["state"] or "not known"), ("EOS", eos)]
        if scene.has_budget:
            needed = "not known" if step["distance"] is None else f"{float(step['distance']):g}, and EOS"
            rows.append(("budget", f"remaining: {step['remaining']}; tokens to accept from here: {needed}"))
        if step["packed"] is not None:
            rows += self._tokens.bitmask(step["packed"])
        return lines + [self._row(label, text) for label, text in rows]

    def _outcome(self, step: Step) -> list[Text]:
        """Return what was chosen, what comes next, and what there is to say about it."""
        lines = []
        if step["chosen"] is not None:
            after = f"; next: state {step['following']}" if step["following"] and self.scene.has_states else ""
            lines.append(
                self._row("chosen", f"{self._tokens.name(step['chosen'])} by u = {step['u']:.3f}{after}", "bold")
            )
        said = [("differs", self._difference(step["differs"]), "red")] if step["differs"] else []
        said += [("note", step["remark"], ""), ("wrong", step["objection"], "red")]
        said += [("cost", step["cost"], ""), ("end", step["end"], "bold")]
        said += [("", step["stop"], "bold yellow"), ("", step["hint"], "")]
        said += [("printed", line, "dim") for line in step["printed"]]
        return lines + [line for label, text, style in said if text for line in self._wrapped(label, text, style)]

    def _difference(self, differs: dict[str, list[int]]) -> str:
        """Return where the student's mask is not the reference's; empty where they are equal."""
        named = {kind: [self._tokens.name(i) for i in ids[:4]] for kind, ids in differs.items()}
        more = {kind: len(ids) - len(named[kind]) for kind, ids in differs.items()}
        parts = [
            f"yours {kind} {', '.join(names)}{f' and {more[kind]} more' * bool(more[kind])}"
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
        shown = visible(text)
        return shown if self.unicode else shown.encode("ascii", "backslashreplace").decode()
