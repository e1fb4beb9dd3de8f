"""Which classes cross the pipe under their own names. A later lab adds its data types here, one line each."""

import builtins
import sys
from importlib import import_module

CONSTANTS: dict[str, tuple[str, ...]] = {
    "labkit.automata.fsm.Atom": ("chars", "plus", "source", "position"),
    "labkit.automata.fsm.Fsm": ("transitions", "initial", "accepting"),
    "labkit.automata.dfa.Dfa": ("bounds", "classes", "transitions", "initial", "accepting", "symbols"),
    "labkit.automata.syntax.Class": ("ranges", "negated", "position"),
    "labkit.automata.syntax.Open": ("position",),
    "labkit.automata.syntax.Close": ("position",),
    "labkit.automata.syntax.Bar": ("position",),
    "labkit.automata.syntax.Quantifier": ("least", "most", "position"),
    "labkit.automata.syntax.Anchor": ("source", "position"),
    "labkit.automata.syntax.Chars": ("ranges",),
    "labkit.automata.syntax.Concat": ("parts",),
    "labkit.automata.syntax.Alternation": ("options",),
    "labkit.automata.syntax.Repeat": ("body", "least", "most"),
    "labkit.automata.byte_dfa.ByteDfa": ("dfa", "steps"),
    "labkit.automata.byte_tries.ByteTrie": ("parent", "byte", "node_of_token"),
    "labkit.automata.transitions.Transitions": ("first", "sources", "targets"),
    "labkit.automata.transitions.Lifted": ("groups", "transitions"),
    "labkit.automata.tries.Trie": ("children", "ids"),
    "labkit.vocabulary.Vocabulary": ("token_bytes", "eos_id", "special_ids"),
    "fractions.Fraction": ("numerator", "denominator"),
}
"""Immutable types, rebuilt by their constructors from these attributes, which are also its parameters' names."""

GROWING: dict[str, tuple[str, ...]] = {
    "labkit.automata.dfa.Nfa": ("moves", "epsilon", "initial", "accepting"),
}
"""Types whose lists may be changed in place by whoever is handed one. The lists are kept in step, at any depth; the
object around them is made anew for each message, and its own attributes are not to be set."""

_BUILTINS = (object, bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range)
_ERROR_MODULES = ("builtins", "labkit.errors")
_ERRORS = ("course.student.core.timeouts.TimeLimit", "json.decoder.JSONDecodeError", "re.error", "re.PatternError")
_PIPE_ERRORS = (
    "course.isolation.pipe.errors.PipeError",
    "course.isolation.pipe.errors.WireError",
    "course.isolation.pipe.errors.WorkerEnded",
)


def path_of(kind: type) -> str:
    """The dotted name by which a class says that it can be found."""
    return f"{kind.__module__}.{kind.__qualname__}"


def fields_of(kind: type) -> tuple[str, ...] | None:
    """The attributes of a registered data type; None for any other class, also for one that only claims the name."""
    fields = CONSTANTS.get(path_of(kind)) or GROWING.get(path_of(kind))
    return fields if fields and _find(path_of(kind), load=False) is kind else None


def grows(kind: type) -> bool:
    """Whether the lists of a registered data type are kept in step."""
    return path_of(kind) in GROWING


def is_known(kind: type) -> bool:
    """Whether a class crosses as itself: a builtin type, a known error, a number type of NumPy's, a registered type."""
    path = path_of(kind)
    return _may_cross(path) and _find(path, load=False) is kind


def known_class(path: str) -> type:
    """The class of that name, if it is one that crosses; a ``ValueError`` otherwise."""
    found = _find(path, load=True) if _may_cross(path) else None
    if not isinstance(found, type) or not (_may_be_built(path, found)):
        raise ValueError(f"no class {path!r} crosses the pipe")
    return found


def _may_cross(path: str) -> bool:
    module = path.rpartition(".")[0]
    return module in ("numpy", *_ERROR_MODULES) or path in (*CONSTANTS, *GROWING, *_ERRORS, *_PIPE_ERRORS)


def _may_be_built(path: str, found: type) -> bool:
    if path.startswith("numpy."):
        return issubclass(found, sys.modules["numpy"].generic)
    return found in _BUILTINS or path in (*CONSTANTS, *GROWING) or issubclass(found, BaseException)


def _find(path: str, *, load: bool) -> object:
    module_name, _, name = path.rpartition(".")
    module = import_module(module_name) if load else sys.modules.get(module_name)
    return getattr(builtins if module_name == "builtins" else module, name, None)
