"""Objects: declared members in their order, then members with keys that are not declared."""

from collections.abc import Callable, Iterator

from labkit.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.encode import encode_string
from labs.lab_08_json_schema.given.flat import Child, Flat
from labs.lab_08_json_schema.given.machines import NOTHING, difference, is_empty, literals
from labs.lab_08_json_schema.given.parts import Parts
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.whitespace import Whitespace

Compile = Callable[[Child], Dfa]


def object_machine(flat: Flat, space: Whitespace, compile_child: Compile) -> Dfa:
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
    members = _members(flat, space, compile_child)
    if members is None:
        return NOTHING
    parts = Parts()
    named = [(parts.add(machine), required) for machine, required in members]
    if flat.additional is not None and not is_empty(value := compile_child(flat.additional)):
        extra = parts.add(_extra_member(flat, value, space))
        named.append((f"{extra}(?:{space.comma}{extra})*", False))
    return parts.compile(lab.object_regex(named, space), among=_counted(flat, parts))


def _members(flat: Flat, space: Whitespace, compile_child: Compile) -> list[tuple[Dfa, bool]] | None:
    """The machine of each member with a key of its own, and whether it is required; None if a required one cannot be."""
    members = []
    for key, child in [*flat.properties.items(), *_undeclared(flat)]:
        value = compile_child(child)
        required = key in flat.required
        if not is_empty(value):
            members.append((_member(key, value, space), required))
        elif required:
            return None
    return members


def _undeclared(flat: Flat) -> Iterator[tuple[str, Child]]:
    """The required keys that are not declared; ``additionalProperties`` says what their values are."""
    for key in flat.required:
        if key in flat.properties:
            continue
        if flat.additional is None:
            problem = f"the required key {key!r:.80} is not declared, so any JSON value may stand there"
            raise UnsupportedSchema(problem, below(flat.pointer, "required"))
        yield key, flat.additional


def _member(key: str, value: Dfa, space: Whitespace) -> Dfa:
    parts = Parts()
    return parts.compile(lab.member_regex(key, parts.add(value), space))


def _extra_member(flat: Flat, value: Dfa, space: Whitespace) -> Dfa:
    """A member with any key but those that have a place of their own."""
    others = difference(lab_06.compile_dfa("(?s:.*)"), literals([*flat.properties, *flat.required]))
    parts = Parts()
    return parts.compile(f"{parts.add(encode_string(others))}{space.colon}{parts.add(value)}")


def _counted(flat: Flat, parts: Parts) -> Dfa | None:
    """The texts over markers with as many members as the schema allows; None if it does not count them."""
    if flat.least_members == 0 and flat.most_members is None:
        return None
    if flat.most_members is not None and flat.most_members < flat.least_members:
        return NOTHING
    member, other = parts.classes()
    count = lab.count_regex(flat.least_members, flat.most_members)
    return lab_06.compile_dfa(f"(?:{other}*{member}){count}{other}*")
