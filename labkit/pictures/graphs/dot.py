"""An automaton as DOT source, for readers who have Graphviz."""

from typing import TYPE_CHECKING

from labkit.pictures.graphs.graph import Automaton, graph_of
from labkit.pictures.graphs.labels import LABEL_LIMIT

if TYPE_CHECKING:
    import graphviz


def fsm_dot(automaton: Automaton) -> "graphviz.Digraph":
    """Return the automaton as a ``graphviz.Digraph``; nothing is drawn, and no ``dot`` program is called.

    >>> from labkit.automata import Fsm
    >>> print(fsm_dot(Fsm(({"a": 1, "b": 1}, {}), 0, frozenset({1}))).source.splitlines()[-2].strip())
    0 -> 1 [label="[ab]" tooltip="[ab]"]
    """
    import graphviz

    graph = graph_of(automaton)
    dot = graphviz.Digraph("fsm", graph_attr={"rankdir": "LR"}, node_attr={"shape": "circle"})
    dot.node("start", label="", shape="none", width="0")
    for state in range(len(graph)):
        dot.node(str(state), shape="doublecircle" if state in graph.accepting else "circle")
    dot.edge("start", str(graph.initial))
    for (source, target), symbols in graph.arrows.items():
        label, full = (graphviz.escape(symbols.label(limit=limit)) for limit in (LABEL_LIMIT, None))
        dot.edge(str(source), str(target), label=label, tooltip=full)
    return dot
