"""Automata for a terminal: lines of text, in ASCII where the console has nothing else."""

from labkit.pictures.graphs.graph import Automaton, graph_of

_LABEL_LIMIT = 40


def fsm_text(automaton: Automaton, *, unicode: bool = True) -> str:
    """Return an ``Fsm``, a ``Dfa`` or an ``Nfa`` as text, one line for each state.

    ``>`` (or an arrow) marks the initial state; an accepting one is written ``((2))``.

    >>> from labkit.automata import Fsm
    >>> automaton = Fsm(({"0": 1}, {"1": 1, "2": 1, "x": 0}), initial=0, accepting=frozenset({1}))
    >>> print(fsm_text(automaton, unicode=False))
    >   0    --0--> 1
      ((1))  --x--> 0   --[12]--> 1
    """
    graph = graph_of(automaton)
    names = [f"(({state}))" if state in graph.accepting else f"  {state}  " for state in range(len(graph))]
    size = max(map(len, names))
    start = "→" if unicode else ">"
    lines = [f"{start if state == graph.initial else ' '} {name:>{size}}" for state, name in enumerate(names)]
    for (source, target), symbols in graph.arrows.items():
        label = symbols.label(limit=_LABEL_LIMIT, unicode=unicode)
        lines[source] += f"  ──{label}──▶ {target} " if unicode else f"  --{label}--> {target} "
    return "\n".join(line.rstrip() for line in lines)
