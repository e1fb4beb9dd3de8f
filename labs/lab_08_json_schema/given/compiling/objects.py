"""Objects: declared members in their order, then members with undeclared keys."""

from collections.abc import Callable, Iterator, Sequence

from labkit.automata.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import NOTHING, intersect, is_empty
from labs.lab_08_json_schema.given.compiling.large_objects import Member, object_skeleton
from labs.lab_08_json_schema.given.compiling.markers import Markers
from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace
from labs.lab_08_json_schema.given.reading.flat_schema import Child, FlatSchema
from labs.lab_08_json_schema.given.reading.pointers import below

Compile = Callable[[Child], Dfa]

MANY = 20
"""Objects with more members than this are built directly as automata (``large_objects.py``): the length of their
expression grows with the square of this number."""


def object_automaton(flat: FlatSchema, space: Whitespace, compile_child: Compile) -> Dfa:
    """Return the automaton of the objects that a flat schema allows.

    Without ``additionalProperties`` JSON Schema allows undeclared members of any value; none are written here.

    Raises:
        UnsupportedSchema: for a required key without a schema, because any JSON value would be allowed.
    """
    values = _values(flat, compile_child)
    if any(is_empty(values[key]) for key in flat.required):
        return NOTHING
    markers = Markers()
    named = [
        Member(markers.add(lab_06.compile_dfa(lab.member_regex(key, markers.add(value), space))), key in flat.required)
        for key, value in values.items()
        if not is_empty(value)
    ]
    if flat.additional is not None and not is_empty(value := compile_child(flat.additional)):
        other = _other_member(flat, markers.add(value), markers, space)
        named.append(Member(markers.add(other), required=False, repeated=True))
    counted = _counted(flat, markers)
    skeleton = intersect(_skeleton(named, markers.add_space(space)), *counted)
    # First put in the members, small automata whose values are still markers; then the values, which may be large.
    return markers.put_into(markers.put_into(skeleton))


def _skeleton(members: Sequence[Member], space: Whitespace) -> Dfa:
    """Return the automaton over markers, by the lab's own function, or directly for many members."""
    if len(members) > MANY:
        return object_skeleton(members, space)
    regexes = [
        (f"{member.marker}(?:{space.comma}{member.marker})*" if member.repeated else member.marker, member.required)
        for member in members
    ]
    return lab_06.compile_dfa(lab.object_regex(regexes, space))


def _values(flat: FlatSchema, compile_child: Compile) -> dict[str, Dfa]:
    """Return the automaton of the value of each declared or required key, in the order of writing."""
    return {key: compile_child(child) for key, child in [*flat.properties.items(), *_undeclared(flat)]}


def _undeclared(flat: FlatSchema) -> Iterator[tuple[str, Child]]:
    """Yield the undeclared required keys, with ``additionalProperties`` as the schema of their values."""
    for key in flat.required:
        if key in flat.properties:
            continue
        if flat.additional is None:
            problem = f"the required key {key!r:.80} is not declared, so any JSON value may stand there"
            raise UnsupportedSchema(problem, below(flat.pointer, "required"))
        yield key, flat.additional


def _other_member(flat: FlatSchema, value: str, markers: Markers, space: Whitespace) -> Dfa:
    """Return the automaton of a member with any undeclared key; its value is a marker."""
    keys = lab.other_keys([*flat.properties, *flat.required])
    return lab_06.compile_dfa(f"{markers.add(keys)}{space.colon}{value}")


def _counted(flat: FlatSchema, markers: Markers) -> list[Dfa]:
    """Return automata over markers that count the members; an empty list if the schema does not."""
    if flat.least_members == 0 and flat.most_members is None:
        return []
    if flat.most_members is not None and flat.most_members < flat.least_members:
        return [NOTHING]
    member, other = markers.classes()
    count = lab.count_regex(flat.least_members, flat.most_members)
    return [lab_06.compile_dfa(f"(?:{other}*{member}){count}{other}*")]
