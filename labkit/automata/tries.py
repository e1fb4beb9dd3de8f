"""A trie over characters, as plain data: nodes are numbers, and node 0 is the root."""

from dataclasses import dataclass, field


@dataclass
class Trie:
    """A trie in which texts with a common prefix share a path from the root.

    ``children[node][char]`` is the node below; ``ids[node]`` are the ids of the tokens that end at a node.

    >>> trie = Trie()
    >>> below = trie.add_node()
    >>> trie.children[0]["a"] = below
    >>> below, len(trie), trie.ids
    (1, 2, [[], []])
    >>> Trie(children=[{"a": 7}], ids=[[]])
    Traceback (most recent call last):
    ValueError: node 0 leads by 'a' to node 7, but the nodes are 0 to 0
    """

    children: list[dict[str, int]] = field(default_factory=lambda: [{}])
    ids: list[list[int]] = field(default_factory=lambda: [[]])

    def __post_init__(self) -> None:
        if len(self.children) != len(self.ids) or not self.ids:
            raise ValueError(f"{len(self.children)} nodes with children, and {len(self.ids)} with ids")
        for node, row in enumerate(self.children):
            for char, below in row.items():
                if not 0 <= below < len(self.ids):
                    raise ValueError(
                        f"node {node} leads by {char!r} to node {below}, but the nodes are 0 to {len(self) - 1}"
                    )

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.ids)

    def add_node(self) -> int:
        """Add a node without children or ids and return its number.

        >>> Trie().add_node()
        1
        """
        self.children.append({})
        self.ids.append([])
        return len(self.ids) - 1
