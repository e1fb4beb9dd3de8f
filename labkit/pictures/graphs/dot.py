"""An automaton as DOT source, which a notebook draws and ``dot -Tsvg`` too."""

from typing import TYPE_CHECKING

from labkit.pictures.graphs.graph import Automaton, graph_of
from labkit.pictures.graphs.labels import LABEL_LIMIT

if TYPE_CHECKING:
    from graphviz import Source


def fsm_dot(automaton: Automaton) -> "Source":
    """Return the automaton as DOT source: print it, change it, or let a computer with ``dot`` draw it.

    >>> from labkit.automata import Fsm
    >>> print(fsm_dot(Fsm(({"a": 1, "b": 1}, {}), 0, frozenset({1}))).source.splitlines()[-2].strip())
    0 -> 1 [label="[ab]" tooltip="[ab]"]
    """
    from graphviz import Digraph, Source, escape  # only here: labs that draw nothing can spare its 30 ms

    graph = graph_of(automaton)
    drawn = Digraph("fsm", graph_attr={"rankdir": "LR"}, node_attr={"shape": "circle"})
    drawn.node("start", label="", shape="none", width="0")
    for state in range(len(graph)):
        drawn.node(str(state), shape="doublecircle" if state in graph.accepting else "circle")
    drawn.edge("start", str(graph.initial))
    for (source, target), symbols in graph.arrows.items():
        label, full = (escape(symbols.label(limit=limit)) for limit in (LABEL_LIMIT, None))
        drawn.edge(str(source), str(target), label=label, tooltip=full)
    return Source(drawn.source)
