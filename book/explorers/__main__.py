"""Write the explorers: ``python -m book.explorers [OUT]``, by default into ``out/explorers``."""

import sys
from pathlib import Path

from book.explorers import drawn, recorded, tables
from book.explorers.typed import TYPED, typed, typed_script
from labkit.scenes.traces import drawing, section

HERE = Path(__file__).parent

MADE = {
    1: ("replay", "Mask a model: free and masked", recorded.twenty_runs),
    3: ("trie", "Count the look-ups of a walk over a trie", drawn.trie_walk),
    4: ("replay", "EOS under the mask", lambda: recorded.played(4)),
    5: ("slides", "The same answer under other budgets", drawn.budgets),
    7: ("replay", "Bytes under the mask", lambda: recorded.played(7)),
    8: ("keyed", "A schema, its expression, its automaton", drawn.schema_parts),
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
    """Write every fragment into a folder, and ``typed.js``, which some of them load; return the fragments."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "typed.js").write_text(typed_script(), encoding="utf-8", newline="\n")
    files = []
    for number in sorted({*MADE, *TYPED}):
        files.append(folder / f"lab_{number:02}.html")
        text, scripts = "", ["load.js"] if number in TYPED else []
        if number in MADE:
            kind, title, make = MADE[number]
            text += section(kind, {"title": title, **make()}, title)
            # the kinds without a script of their own share one
            scripts.append(f"{kind}.js" if (HERE / f"{kind}.js").is_file() else "explorers.js")
        if number in TYPED:
            data = typed(number)
            text += section("typed", data, data["title"], "data-input")
        text += drawing([HERE / script for script in scripts])
        files[-1].write_text(text, encoding="utf-8", newline="\n")
    return files


if __name__ == "__main__":
    for file in write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "out/explorers")):
        print(f"{file}: {file.stat().st_size:,} bytes")
