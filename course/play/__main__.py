"""Write the explorers: ``python -m course.play [OUT]``, by default into ``out/explorers``."""

import shutil
import sys
from functools import partial
from pathlib import Path

from course.play import drawn, recorded, tables
from course.play.typed import ENDING, TYPED, typed_script
from course.student.show.traces import drawing, section

HERE = Path(__file__).parent

MADE = {
    1: ("replay", "Mask a model: free and masked", recorded.twenty_runs),
    3: ("trie", "Count the look-ups of a walk over a trie", drawn.trie_walk),
    4: ("ending", "EOS under the mask, with your own tokens", lambda: ENDING[4]),
    5: ("ending", "Your own budget", lambda: ENDING[5]),
    9: ("painter", "Paint a bitmask", drawn.bitmasks),
    10: ("speed", "How much faster: the law, and real runs", tables.speeds),
    11: ("calls", "Free text and calls as one automaton", tables.call_formats),
    12: ("stacks", "Stacks, written by you and shared", tables.stack_grammars),
    13: ("fair", "From masked to fair", tables.fair_models),
    14: ("drafts", "Reject, or cut off: a drafted token", tables.one_draft),
    15: ("painter", "Bits, words and the kernel's blocks", tables.kernel_words),
}
"""For each lab: the kind of drawing, its title, and what computes the data."""


def write_all(folder: Path) -> list[Path]:
    """Write every fragment into a folder, with ``typed.js`` and Graphviz, which some load; return the fragments."""
    shutil.copytree(HERE / "vendor", folder / "vendor", dirs_exist_ok=True)
    (folder / "typed.js").write_text(typed_script(), encoding="utf-8", newline="\n")
    files = []
    for number in sorted({*MADE, *TYPED}):
        sections = [MADE[number]] if number in MADE else []
        if number in TYPED:
            sections.append(
                ("typed", f"Your own {'schema' if number == 8 else 'pattern'}", partial(TYPED.__getitem__, number))
            )
        text, scripts = "", []
        for kind, title, make in sections:
            is_typed = kind in ("typed", "ending")
            data = {"title": title, "lab": number, **make()}
            text += section(kind, data, title, "data-input" * is_typed)
            # a kind without a script of its own is drawn by the one before it
            names = ["load", kind] if is_typed else [kind]
            scripts += [file for name in names if (file := HERE / "drawings" / f"{name}.js").is_file()]
        files.append(folder / f"lab_{number:02}.html")
        files[-1].write_text(text + drawing(scripts), encoding="utf-8", newline="\n")
    return files


if __name__ == "__main__":
    for file in write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "out/explorers")):
        print(f"{file}: {file.stat().st_size:,} bytes")
