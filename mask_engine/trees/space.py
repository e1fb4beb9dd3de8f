"""White space while a tree is built: how far lines may be indented is known when all of it is read."""

from labkit.automata.trees import EMPTY, Whitespace, char, row
from labs.lab_08_json_schema.given.whitespace import MAX_INDENT, gap, policy
from mask_engine.patterns.lazy import Rule

FREE_DEPTH = 16
"""How deep values are indented where nothing says how deep they are nested."""


class Space:
    """The white space of one schema.

    Args:
        whitespace: ``"flexible"`` or ``"compact"``.

    Attributes:
        trees: the policy, as lab 08 has it.
    """

    def __init__(self, whitespace: str) -> None:
        self._flexible = policy(whitespace).edge is not EMPTY
        self._gap = Rule("white space", EMPTY)
        edge = self._gap if self._flexible else EMPTY
        self.trees = Whitespace(edge, row(char(","), edge), policy(whitespace).colon)

    def settle(self, deepest: int | None) -> None:
        """Let lines be indented as far as values are nested, four spaces a level; None is without end."""
        if self._flexible:
            most = max(4 * (FREE_DEPTH if deepest is None else deepest), MAX_INDENT)
            self._gap.body = gap(most)
