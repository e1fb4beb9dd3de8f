"""An automaton as DOT source, for readers who have Graphviz."""

import json

from labkit.pictures.graphs.graph import Automaton, graph_of
from labkit.pictures.graphs.labels import LABEL_LIMIT


def fsm_dot(automaton: Automaton) -> str:
    """Return the automaton as DOT source, which ``dot -Tsvg`` or ``graphviz.Source`` draws.

    >>> from labkit.automata import Fsm
    >>> print(fsm_dot(Fsm(({"a": 1, "b": 1}, {}), 0, frozenset({1}))).splitlines()[-2].strip())
    0 -> 1 [label="[ab]" tooltip="[ab]"]
    """
    graph = graph_of(automaton)
    lines = ["digraph fsm {", "graph [rankdir=LR]", "node [shape=circle]", 'start [label="" shape=none width=0]']
    for state in range(len(graph)):
        lines.append(f"{state} [shape={'doublecircle' if state in graph.accepting else 'circle'}]")
    lines.append(f"start -> {graph.initial}")
    for (source, target), symbols in graph.arrows.items():
        label, full = (json.dumps(symbols.label(limit=limit), ensure_ascii=False) for limit in (LABEL_LIMIT, None))
        lines.append(f"{source} -> {target} [label={label} tooltip={full}]")
    return "\n\t".join(lines) + "\n}\n"
