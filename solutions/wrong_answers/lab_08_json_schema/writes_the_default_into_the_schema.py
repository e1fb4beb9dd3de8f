"""The caller's schema gets the `required` that it lacks."""

TODO = 10
HINT = 2


def json_schema_to_regex(
    schema: dict[str, Any],
    *,
    whitespace: str = "flexible",
    pointer: str = "",
    nested: Callable[[Any, str], str] | None = None,
) -> str:
    if schema.get("type") == "object":
        schema.setdefault("required", [])
    checked = check_subset(schema, pointer)
    space = policy(whitespace)
    inner = nested or (lambda child, where: json_schema_to_regex(child, whitespace=whitespace, pointer=where))
    if "enum" in checked:
        kind = checked.get("type")
        return enum_regex([value for value in checked["enum"] if kind is None or has_type(value, kind)])
    match checked["type"]:
        case "string":
            return string_regex(checked.get("minLength", 0), checked.get("maxLength"))
        case "array":
            item = inner(checked["items"], below(pointer, "items"))
            return array_regex(item, checked.get("minItems", 0), checked.get("maxItems"), space)
        case "object":
            required = checked.get("required", ())
            members = [
                (member_regex(key, inner(child, below(pointer, "properties", key)), space), key in required)
                for key, child in checked["properties"].items()
            ]
            return object_regex(members, space)
        case "boolean":
            return enum_regex([True, False])
        case "null":
            return literal_regex(None)
    return number_regex(integer=checked["type"] == "integer")
