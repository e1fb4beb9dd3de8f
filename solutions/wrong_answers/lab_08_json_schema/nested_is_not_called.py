"""The function compiles inner schemas itself instead of calling `nested`."""

TODO = 10
HINT = 2


def json_schema_to_regex(schema, *, whitespace="flexible", pointer="", nested=None):
    checked, space = check_subset(schema, pointer), policy(whitespace)
    kind = checked.get("type")
    if "enum" in checked:
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    if kind == "string":
        return string_regex(checked.get("minLength", 0), checked.get("maxLength"))
    if kind == "array":
        item = json_schema_to_regex(checked["items"], whitespace=whitespace, pointer=below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    if kind == "object":
        required, parts = checked.get("required", ()), checked["properties"].items()
        below_here = {key: below(pointer, "properties", key) for key, _ in parts}
        values = {k: json_schema_to_regex(part, whitespace=whitespace, pointer=below_here[k]) for k, part in parts}
        members = [(member_regex(key, value, space), key in required) for key, value in values.items()]
        return object_regex(members, space)
    return {"boolean": "(?:true|false)", "null": "null"}.get(kind) or number_regex(integer=kind == "integer")
