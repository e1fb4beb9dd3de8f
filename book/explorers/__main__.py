"""Write the explorers: ``python -m book.explorers [OUT]``, by default into ``out/explorers``."""

import sys
from pathlib import Path

from book.explorers import drawn, recorded
from book.explorers.typed import TYPED, typed, typed_script
from labkit.scenes.traces import drawing, section

SCRIPTS = [Path(__file__).with_name(name) for name in ("explorers.js", "load.js")]

MADE = {
    1: ("replay", "Mask a model: free and masked", recorded.twenty_runs),
    3: ("trie", "Count the look-ups of a walk over a trie", drawn.trie_walk),
    4: ("replay", "EOS under the mask", lambda: recorded.played(4)),
    5: ("slides", "The same answer under other budgets", drawn.budgets),
    7: ("replay", "Bytes under the mask", lambda: recorded.played(7)),
    8: ("keyed", "A schema, its expression, its automaton", drawn.schema_parts),
    9: ("painter", "Paint a bitmask", drawn.bitmasks),
    10: ("slides", "Jump forward: passes saved, measured", drawn.jumps),
    12: ("slides", "A stack, token by token", drawn.stacks),
}
"""For each lab: the kind of drawing, its title, and what computes the data."""


def write_all(folder: Path) -> list[Path]:
    """Write every fragment into a folder, and ``typed.js``, which some of them load; return the fragments."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "typed.js").write_text(typed_script(), encoding="utf-8", newline="\n")
    files = []
    for number in sorted({*MADE, *TYPED}):
        files.append(folder / f"lab_{number:02}.html")
        text = ""
        if number in MADE:
            kind, title, make = MADE[number]
            text += section(kind, {"title": title, **make()}, title)
        if number in TYPED:
            data = typed(number)
            text += section("typed", data, data["title"], "data-input")
        files[-1].write_text(text + drawing(SCRIPTS), encoding="utf-8", newline="\n")
    return files


if __name__ == "__main__":
    for file in write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "out/explorers")):
        print(f"{file}: {file.stat().st_size:,} bytes")
