"""Pictures that can move: where a page asks for ``picture.svg#play``, once, and else they are still.

So it is the page that asks a reader's system whether motion is welcome; an image cannot be sure of the answer.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from labkit.pictures._svg import Svg, tag

LONGEST = 5.0
"""Seconds within which a picture comes to rest: what moves for longer needs a button to stop it."""

_PLAYED = ".labkit-picture:target "


def in_turn(picture: Svg, turns: Iterable[tuple[str, float]], start: str = "opacity:0") -> Svg:
    """Return a picture whose parts come one after another.

    Args:
        turns: a selector, and the second at which what it selects begins to change into what is drawn.
        start: the style that it has until then.

    Raises ``ValueError`` if the last part would come after ``LONGEST`` seconds.

    >>> from labkit.pictures import bar_chart
    >>> moving = in_turn(bar_chart({"a": 1, "b": 2}), [(".bar", 0.5)])
    >>> "animation:come0 0.4s 0.5s backwards" in str(moving)
    True
    """
    rules, name = [], f"come{str(picture).count('@keyframes')}"
    for selector, second in turns:
        if second + 0.4 > LONGEST:
            raise ValueError(f"{selector} would come after {second:g} s, and a picture rests after {LONGEST:g}")
        rules.append(f"{_PLAYED}{selector}{{transform-box:fill-box;animation:{name} 0.4s {second:g}s backwards}}")
    return _styled(picture, f"@keyframes {name}{{from{{{start}}}}}{''.join(rules)}")


def walked(picture: Svg, path: Sequence[int]) -> Svg:
    """Return an automaton's picture with a dot that walks through it once.

    Args:
        path: the states, as ``fsm_svg`` takes them. A picture that is text, for lack of Graphviz, stays still.

    >>> from labkit.automata import Fsm
    >>> from labkit.pictures import fsm_svg
    >>> "offset-path:path('M" in str(walked(fsm_svg(Fsm(({"a": 1}, {}), 0, frozenset({1}))), [0, 1]))
    True
    """
    if 'class="graph"' not in str(picture):
        return picture
    way = ""
    for source, target in pairwise(path):
        edge = re.search(rf'class="edge" data-from="{source}" data-to="{target}"><path [^>]*d="M([^"]+)"', str(picture))
        if edge is None:
            raise ValueError(f"no transition leads from state {source} to {target}")
        way += f"{'L' if way else 'M'}{edge[1]}"
    end = str(picture).rindex("</g>")
    dot = tag("circle", class_="dot m1", r=6)
    seconds = min(LONGEST - 1, 1.0 + 0.8 * (len(path) - 1))
    style = (
        f".labkit-picture .dot{{opacity:0}}@keyframes walk{{from{{opacity:1;offset-distance:0}}95%{{opacity:1}}"
        f"to{{opacity:0;offset-distance:100%}}}}{_PLAYED}.dot{{offset-path:path('{way}');"
        f"animation:walk {seconds:g}s 0.6s linear}}"
    )
    return _styled(Svg(f"{str(picture)[:end]}{dot}{str(picture)[end:]}", picture.name), style)


def _styled(picture: Svg, style: str) -> Svg:
    head, end, rest = str(picture).partition("</style>")
    if ' id="play"' not in head:
        head = head.replace("<svg ", '<svg id="play" ', 1)
    return Svg(f"{head}{end}{tag('style', style)}{rest}", picture.name)
