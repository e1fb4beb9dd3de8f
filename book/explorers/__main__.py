"""Write the explorers: ``python -m book.explorers [OUT]``, by default into ``out/explorers``."""

import sys
from pathlib import Path

from book.explorers import drawn, recorded, tables
from labkit.scenes.traces import page

HERE = Path(__file__).parent

MADE = {
    1: ("replay", "Mask a model: free and masked", recorded.twenty_runs),
    2: ("stepper", "A pattern's automaton, token by token", drawn.one_automaton),
    3: ("trie", "Count the look-ups of a walk over a trie", drawn.trie_walk),
    4: ("replay", "EOS under the mask", lambda: recorded.played(4)),
    5: ("slides", "The same answer under other budgets", drawn.budgets),
    6: ("stepper", "From a pattern to its minimal automaton", drawn.three_automata),
    7: ("replay", "Bytes under the mask", lambda: recorded.played(7)),
    8: ("keyed", "A schema, its expression, its automaton", drawn.schema_parts),
    9: ("painter", "Paint a bitmask", drawn.bitmasks),
    10: ("speed", "How much faster: the law, and real runs", tables.speeds),
    11: ("calls", "Free text and calls as one automaton", tables.call_formats),
    12: ("stacks", "Stacks, written by you and shared", tables.stack_grammars),
    13: ("fair", "From masked to fair", tables.fair_models),
    14: ("painter", "Bits, words and the kernel's blocks", tables.kernel_words),
}
"""For each lab: the kind of drawing, its title, and what computes the data."""


def write_all(folder: Path) -> list[Path]:
    """Write every fragment into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, (kind, title, make) in MADE.items():
        files.append(folder / f"lab_{number:02}.html")
        data = {"title": title, **make()}
        own = HERE / f"{kind}.js"  # the kinds without a script of their own share one
        text = page(kind, data, title, [own if own.is_file() else HERE / "explorers.js"])
        files[-1].write_text(text, encoding="utf-8", newline="\n")
    return files


if __name__ == "__main__":
    for file in write_all(Path(sys.argv[1] if len(sys.argv) > 1 else "out/explorers")):
        print(f"{file}: {file.stat().st_size:,} bytes")
