"""Pictures of tokens as functions from states to states: one panel for each function, with the tokens that share it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labkit.pictures._svg import Svg, num, picture, tag, text_at, visible, width_of

_MARGIN, _ROW, _HEAD, _RADIUS, _GAP = 16.0, 34.0, 34.0, 12.0, 14.0
_LEAST_WIDTH, _ACROSS, _CHIP = 150.0, 84.0, 22.0


@dataclass(frozen=True)
class TokenFunction:
    """A function from states to states, dead where it has no arrow, and the tokens that share it."""

    name: str
    arrows: Mapping[int, int]
    tokens: Sequence[str]


def functions_svg(functions: Sequence[TokenFunction], n_states: int, *, title: str = "") -> Svg:
    """Draw panels side by side: the states before a token on the left, those after it on the right, tokens below.

    A state from which the token is dead has a dashed ring and no arrow. Tokens that are dead everywhere are struck.

    Raises ``ValueError`` for no functions, or an arrow between states that do not exist.

    >>> picture = str(functions_svg([TokenFunction("digits", {0: 0, 1: 1}, ["7", "42"])], n_states=3))
    >>> picture.count('class="arrow"'), picture.count('class="source unreachable"'), picture.count('class="token"')
    (2, 1, 2)
    """
    _check(functions, n_states)
    top = _MARGIN + (26 if title else 0)
    parts = [text_at(_MARGIN, 24, title, "title", "start")] if title else []
    left = _MARGIN
    for function in functions:
        width = max(_LEAST_WIDTH, width_of(function.name) + 8, *(_chip(token) for token in function.tokens), 0.0)
        parts.append(_panel(function, n_states, left, top, width))
        left += width + _GAP
    rows = max(len(_lines(function)) for function in functions)
    height = top + _HEAD + _ROW * n_states + 10 + rows * (_CHIP + 4) + _MARGIN - 4
    width = max(left - _GAP, _MARGIN + width_of(title) * 1.25) + _MARGIN
    return picture(width, height, "".join(parts), title or f"{len(functions)} functions of tokens")


def _check(functions: Sequence[TokenFunction], n_states: int) -> None:
    if not functions or n_states < 1:
        raise ValueError("there is nothing to draw: give at least one function, and a state")
    for function in functions:
        for state in {*function.arrows, *function.arrows.values()}:
            if not 0 <= state < n_states:
                raise ValueError(f"{function.name!r} names state {state}; the states are 0 to {n_states - 1}")


def _panel(function: TokenFunction, n_states: int, left: float, top: float, width: float) -> str:
    middle = left + width / 2
    sides = middle - _ACROSS / 2, middle + _ACROSS / 2
    heights = [top + _HEAD + _ROW * (state + 0.5) for state in range(n_states)]
    parts = [text_at(middle, top + 14, function.name, "bold")]
    parts += [_arrow(sides, heights[source], heights[target]) for source, target in sorted(function.arrows.items())]
    reached = set(function.arrows.values())
    for state, y in enumerate(heights):
        parts.append(_state(sides[0], y, state, "source", state in function.arrows))
        parts.append(_state(sides[1], y, state, "target", state in reached))
    parts += _chips(function, middle, heights[-1] + _ROW / 2 + 10)
    return tag("g", *parts, class_="function")


def _state(x: float, y: float, state: int, side: str, used: bool) -> str:
    ring = tag("circle", class_="ring", cx=x, cy=y, r=_RADIUS)
    number = text_at(x, y, str(state), "" if used else "muted")
    return tag("g", ring, number, class_=side if used else f"{side} unreachable")


def _arrow(sides: tuple[float, float], start: float, end: float) -> str:
    """Draw a straight arrow from ring to ring."""
    one, other = complex(sides[0], start), complex(sides[1], end)
    unit = (other - one) / abs(other - one)
    tail, tip = one + unit * (_RADIUS + 1), other - unit * (_RADIUS + 1)
    corners = tip, tip - unit * 9 + unit * 4j, tip - unit * 9 - unit * 4j
    points = " ".join(f"{num(p.real)},{num(p.imag)}" for p in corners)
    line = f"M{num(tail.real)} {num(tail.imag)}L{num((tip - unit * 6).real)} {num((tip - unit * 6).imag)}"
    path, head = tag("path", class_="line strong", d=line), tag("polygon", class_="head strong", points=points)
    return tag("g", path, head, class_="arrow")


def _chip(token: str) -> float:
    return width_of(visible(token)) + 14


def _lines(function: TokenFunction) -> list[list[str]]:
    """Return the tokens in lines that are no wider than a panel."""
    lines: list[list[str]] = []
    for token in function.tokens:
        if not lines or sum(map(_chip, [*lines[-1], token])) + 4 * len(lines[-1]) > _LEAST_WIDTH:
            lines.append([])
        lines[-1].append(token)
    return lines


def _chips(function: TokenFunction, middle: float, top: float) -> list[str]:
    parts = []
    for number, line in enumerate(_lines(function)):
        x, y = middle - (sum(map(_chip, line)) + 4 * (len(line) - 1)) / 2, top + number * (_CHIP + 4)
        for token in line:
            frame = tag("rect", class_="ring", x=x, y=y, width=_chip(token), height=_CHIP, rx=5)
            word = text_at(x + _chip(token) / 2, y + _CHIP / 2, token, "mono" if function.arrows else "mono struck")
            parts.append(tag("g", frame, word, class_="token" if function.arrows else "token dead"))
            x += _chip(token) + 4
    return parts
