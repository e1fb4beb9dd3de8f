"""The same machine as DOT source, for readers who have Graphviz."""

from typing import TYPE_CHECKING

from labkit.automata import Fsm
from labkit.pictures.labels import LABEL_LIMIT, char_label, collapse

if TYPE_CHECKING:
    import graphviz


def fsm_dot(fsm: Fsm) -> "graphviz.Digraph":
    """The machine as a ``graphviz.Digraph``; nothing is drawn, and no ``dot`` program is called.

    >>> print(fsm_dot(Fsm(({"a": 1, "b": 1}, {}), 0, frozenset({1}))).source.splitlines()[-2].strip())
    0 -> 1 [label="[ab]" tooltip="[ab]"]
    """
    import graphviz

    dot = graphviz.Digraph("fsm", graph_attr={"rankdir": "LR"}, node_attr={"shape": "circle"})
    dot.node("start", label="", shape="none", width="0")
    for state in range(len(fsm)):
        dot.node(str(state), shape="doublecircle" if state in fsm.accepting else "circle")
    dot.edge("start", str(fsm.initial))
    for (source, target), chars in collapse(fsm).items():
        label, full = (graphviz.escape(char_label(chars, limit=limit)) for limit in (LABEL_LIMIT, None))
        dot.edge(str(source), str(target), label=label, tooltip=full)
    return dot
