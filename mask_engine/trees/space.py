"""White space while a tree is built: how far lines may be indented is known when all of it is read."""

from labs.lab_08_json_schema.given.whitespace import MAX_INDENT, policy
from mask_engine.patterns.lazy import Rule, Tree
from mask_engine.trees.pieces import char, parsed, row

FREE_DEPTH = 16
"""How deep values are indented where nothing says how deep they are nested."""


class Space:
    """The white space of one schema.

    Args:
        whitespace: ``"flexible"`` or ``"compact"``.

    Attributes:
        edge, comma, colon: trees.
    """

    def __init__(self, whitespace: str) -> None:
        self._flexible = policy(whitespace).edge != ""
        self.colon = parsed(policy(whitespace).colon)
        self._gap = Rule("white space", row())
        self.edge: Tree = self._gap if self._flexible else row()
        self.comma: Tree = row(char(","), self.edge)

    def settle(self, deepest: int | None) -> None:
        """Let lines be indented as far as values are nested, four spaces a level; None is without end."""
        if self._flexible:
            most = max(4 * (FREE_DEPTH if deepest is None else deepest), MAX_INDENT)
            self._gap.body = parsed(rf"(?: |\n {{0,{most}}})?")
