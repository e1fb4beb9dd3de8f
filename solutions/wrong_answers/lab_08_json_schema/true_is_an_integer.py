"""isinstance decides the type of a value, to which True is an int and 2.0 is not."""

TODO = 10
HINT = 2


def json_schema_to_regex(schema, *, whitespace="flexible", pointer="", nested=None):
    checked, space = check_subset(schema, pointer), policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
        return enum_regex([value for value in checked["enum"] if isinstance(value, types.get(kind, object))])
    if kind == "string":
        return string_regex(checked.get("minLength", 0), checked.get("maxLength"))
    if kind == "array":
        item = inner(checked["items"], below(pointer, "items"))
        return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
    if kind == "object":
        required, parts = checked.get("required", ()), checked["properties"].items()
        values = {key: inner(child, below(pointer, "properties", key)) for key, child in parts}
        members = [(member_regex(key, value, space), key in required) for key, value in values.items()]
        return object_regex(members, space)
    return {"boolean": "(?:true|false)", "null": "null"}.get(kind) or number_regex(integer=kind == "integer")
