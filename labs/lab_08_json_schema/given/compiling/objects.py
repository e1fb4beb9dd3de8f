"""Objects: declared members in their order, then members with keys that are not declared."""

from collections.abc import Callable, Iterator, Sequence

from labkit.automata.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.encode import encode_string
from labs.lab_08_json_schema.given.automata.operations import ANY, NOTHING, difference, intersect, is_empty, literals
from labs.lab_08_json_schema.given.compiling.parts import Parts
from labs.lab_08_json_schema.given.compiling.skeletons import Member, object_skeleton
from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace
from labs.lab_08_json_schema.given.reading.flat import Child, Flat
from labs.lab_08_json_schema.given.reading.pointers import below

Compile = Callable[[Child], Dfa]

MANY = 20
"""From so many members on, the object is written down as an automaton instead of being compiled."""


def object_automaton(flat: Flat, space: Whitespace, compile_child: Compile) -> Dfa:
    """The objects that a conjunction allows.

    Where ``additionalProperties`` says nothing, other members would be allowed, of any value; none are written.

    Raises:
        UnsupportedSchema: where any JSON value would have to be written: for an object of which nothing is declared,
            and for a required key of which nothing is said.
    """
    if not flat.declares and flat.additional is None and flat.most_members != 0:
        raise UnsupportedSchema(
            "the members may be any JSON value, which no regular expression describes", flat.pointer
        )
    values = _values(flat, compile_child)
    if any(is_empty(values[key]) for key in flat.required):
        return NOTHING
    parts = Parts()
    named = [
        Member(parts.add(lab_06.compile_dfa(lab.member_regex(key, parts.add(value), space))), key in flat.required)
        for key, value in values.items()
        if not is_empty(value)
    ]
    if flat.additional is not None and not is_empty(value := compile_child(flat.additional)):
        other = _other_member(flat, parts.add(value), parts, space)
        named.append(Member(parts.add(other), required=False, repeated=True))
    counted = _counted(flat, parts)
    skeleton = intersect(_skeleton(named, parts.add_space(space)), *counted)
    # First the members, small automata in which their values are markers still; then the values, which may be large.
    return parts.put_into(parts.put_into(skeleton))


def _skeleton(members: Sequence[Member], space: Whitespace) -> Dfa:
    """The object over markers, by the lab's own function, or by its twin where that would grow too large."""
    if len(members) > MANY:
        return object_skeleton(members, space)
    regexes = [
        (f"{member.marker}(?:{space.comma}{member.marker})*" if member.repeated else member.marker, member.required)
        for member in members
    ]
    return lab_06.compile_dfa(lab.object_regex(regexes, space))


def _values(flat: Flat, compile_child: Compile) -> dict[str, Dfa]:
    """The automaton of the value of each key that has a place of its own, in the order in which they are written."""
    return {key: compile_child(child) for key, child in [*flat.properties.items(), *_undeclared(flat)]}


def _undeclared(flat: Flat) -> Iterator[tuple[str, Child]]:
    """The required keys that are not declared; ``additionalProperties`` says what their values are."""
    for key in flat.required:
        if key in flat.properties:
            continue
        if flat.additional is None:
            problem = f"the required key {key!r:.80} is not declared, so any JSON value may stand there"
            raise UnsupportedSchema(problem, below(flat.pointer, "required"))
        yield key, flat.additional


def _other_member(flat: Flat, value: str, parts: Parts, space: Whitespace) -> Dfa:
    """A member with any key but those that have a place of their own; its value is a marker."""
    keys = encode_string(difference(ANY, literals([*flat.properties, *flat.required])))
    return lab_06.compile_dfa(f"{parts.add(keys)}{space.colon}{value}")


def _counted(flat: Flat, parts: Parts) -> list[Dfa]:
    """The texts over markers with as many members as the schema allows; an empty list if it does not count them."""
    if flat.least_members == 0 and flat.most_members is None:
        return []
    if flat.most_members is not None and flat.most_members < flat.least_members:
        return [NOTHING]
    member, other = parts.classes()
    count = lab.count_regex(flat.least_members, flat.most_members)
    return [lab_06.compile_dfa(f"(?:{other}*{member}){count}{other}*")]
