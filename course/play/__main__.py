"""Write the explorers: ``python -m course.play [OUT]``, by default into ``out/explorers``."""

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from course.play import conversation, formats, tables
from course.play.bundle import bundle
from course.play.typed import ENDING, FAIR, TRIE, TYPED, typed_script
from course.student.show.traces import drawing, section

HERE = Path(__file__).parent


class Explorer(NamedTuple):
    """What a reader can move: the kind of drawing, its title, and what computes the data."""

    kind: str
    title: str
    make: Callable[[], dict[str, Any]]

    @property
    def compiles(self) -> bool:
        """Whether the page compiles what the reader types, so that it loads ``typed.js`` and Graphviz."""
        return self.kind in ("typed", "ending", "trie", "fair")


def _typed(number: int, title: str) -> Explorer:
    return Explorer("typed", title, partial(TYPED.__getitem__, number))


MADE = {
    1: [_typed(1, "Your own pattern: could the text still become a match?")],
    2: [_typed(2, "Your own pattern: where does a token lead?")],
    3: [Explorer("trie", "Walk a trie of your own words", lambda: TRIE), _typed(3, "Your own pattern, as a table")],
    4: [Explorer("ending", "EOS under the mask, with your own tokens", partial(ENDING.__getitem__, 4))],
    5: [Explorer("ending", "Your own budget", partial(ENDING.__getitem__, 5))],
    6: [_typed(6, "Your own pattern, as three automata")],
    7: [_typed(7, "Your own pattern, over bytes")],
    8: [_typed(8, "Your own schema, as an automaton")],
    9: [Explorer("painter", "Paint a bitmask", tables.batch_rows)],
    10: [Explorer("speed", "How much faster: the law, and real runs", tables.speeds)],
    11: [Explorer("calls", "Free text and calls as one automaton", formats.call_formats)],
    12: [Explorer("stacks", "Stacks, written by you and shared", tables.own_grammars)],
    13: [Explorer("fair", "From masked to fair", lambda: FAIR)],
    14: [Explorer("drafts", "Reject, or cut off: a drafted token", tables.one_draft)],
    15: [Explorer("painter", "Bits, words and the kernel's blocks", tables.kernel_words)],
}
"""The explorers of each lab. The first opens its page; a copy without the references may lack what one is made of."""


class LacksReference(ValueError):
    """An explorer whose data needs a reference that this copy of the course doesn't have."""


def make_one(number: int) -> str:
    """Return a lab's fragment.

    Raises:
        LacksReference: if a handout has it no more.
    """
    text, scripts = "", [HERE / "drawings" / "fields.js"]
    for each in MADE[number]:
        try:
            data = {"title": each.title, "lab": number, **each.make()}
        except ModuleNotFoundError as missing:
            if not (missing.name or "").startswith("labs."):
                raise
            lacks = f"lab {number:02}'s explorer is made by {missing.name}, which this copy lacks"
            raise LacksReference(lacks) from missing
        text += section(each.kind, data, each.title, "data-input" * each.compiles)
        # a kind without a script of its own is drawn by the one before it
        names = ["load", each.kind] if each.compiles else [each.kind]
        scripts += [file for name in names if (file := HERE / "drawings" / f"{name}.js").is_file()]
    return text + drawing(more=bundle(scripts))


def write_scripts(folder: Path) -> None:
    """Write what the labs' fragments load into their folder: the compiler with its tokens, and Graphviz."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(HERE / "vendor", folder / "vendor", dirs_exist_ok=True)
    (folder / "typed.js").write_text(typed_script(), encoding="utf-8", newline="\n")


def write_all(folder: Path) -> list[Path]:
    """Write every fragment into a folder, but for those whose references this copy doesn't have; return the labs'.

    The small model's is ``index.html``, since it opens the book.
    """
    write_scripts(folder)
    for name, code in conversation.scripts().items():
        (folder / name).write_text(code, encoding="utf-8", newline="\n")
    (folder / "index.html").write_text(conversation.fragment(), encoding="utf-8", newline="\n")
    files = []
    for number in MADE:
        with suppress(LacksReference):
            file = folder / f"lab_{number:02}.html"
            file.write_text(make_one(number), encoding="utf-8", newline="\n")
            files.append(file)
    return files


if __name__ == "__main__":
    for file in write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "out/explorers")):
        print(f"{file}: {file.stat().st_size:,} bytes")
