"""A keyword that the lab does not cover is dropped instead of refused, so forbidden values match."""

TODO = 10
HINT = 2


def json_schema_to_regex(schema, *, whitespace="flexible", pointer="", nested=None):
    known = ["type", "enum", "properties", "required", "items", "minItems", "maxItems", "minLength", "maxLength"]
    kept = {word: schema[word] for word in known if word in schema} if isinstance(schema, dict) else schema
    checked, space = check_subset(kept, pointer), policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    kind = checked.get("type")
    if "enum" in checked:
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
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
