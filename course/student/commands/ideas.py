"""The map of the course's ideas, which grows with ``python3 -m course status``."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from course.student.core.catalog import Lab, all_labs
from course.student.core.hints import lab_data
from labkit.pictures import Idea, Svg, ideas_svg

FILE = Path(__file__).with_name("ideas.svg")
"""The whole map, which the README shows."""


def ideas() -> dict[int, Idea]:
    """Return the idea of each lab in this copy, by number, with those of its labs that it rests on.

    >>> found = ideas()
    >>> found[3].says, found[3].after
    ('walk every token in advance, then look it up', (2,))
    """
    found = {lab.number: lab_data(lab) for lab in all_labs()}
    return {
        number: Idea(f"{number:02} {data.title}", data.idea, tuple(n for n in data.after if n in found))
        for number, data in found.items()
    }


def drawn_map(yours: Collection[int]) -> Svg:
    """Draw the map; an idea that isn't yours yet keeps its words to itself."""
    shown = {n: each if n in yours else replace(each, says="") for n, each in ideas().items()}
    return ideas_svg(shown, yours, title="How the ideas hang together")


def print_map(console: Console, passing: Collection[Lab]) -> None:
    """Print the ideas of the labs that pass, each below the one that it rests on first, and those that can be next."""
    found, yours = ideas(), {lab.number for lab in passing}
    below = {n: next(iter(each.after), 0) for n, each in found.items()}
    shown = {n for n in found if n in yours or below[n] in {0, *yours}}
    for n in [*shown]:
        while n := below[n]:
            shown.add(n)
    root = Tree(Text("How the ideas hang together, and which are yours:"), guide_style="dim")
    places = {0: root}
    for n, each in found.items():  # an idea comes after those that it rests on
        if n in shown:
            mine = n in yours
            line = Text(f"[x] {n:02} {each.says}", "green") if mine else Text(f"[ ] {each.name}", "dim")
            places[n] = places[below[n]].add(line)
    console.print(root)
    if hidden := len(found) - len(shown):
        console.print(
            Text(f"{hidden} more {'idea' if hidden == 1 else 'ideas'} will show up here as you go on.", "dim")
        )
