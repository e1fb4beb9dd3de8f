"""The name that OpenAI's clients send becomes a part of the source, so equal schemas are compiled twice."""

TODO = 7
HINT = 2


def read_response_format(asked):
    fields = dict(asked)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in FIELDS:
        raise ValueError(f"response_format: the type must be one of {', '.join(FIELDS)}, not {kind!r}")
    closed, order = True, "schema"
    if kind == "json_schema" and fields.keys() == {"json_schema"} and isinstance(fields["json_schema"], Mapping):
        closed, order = (fields["json_schema"].get(*each) for each in (("strict",), ("order", "schema")))
        fields = {name: value for name, value in fields["json_schema"].items() if name not in BESIDE_THE_SCHEMA}
    needed = FIELDS[kind]
    if fields.keys() != ({needed} if needed else set()):
        raise ValueError(f"response_format: {kind} needs {needed or 'nothing'} besides, and has {sorted(fields)}")
    value = fields[needed] if needed else None
    if needed and not isinstance(value, TYPES[needed]):
        raise ValueError(f"response_format: {needed} is a {type(value).__name__}")
    if kind == "choice" and not (value and all(isinstance(choice, str) for choice in value)):
        raise ValueError("response_format: choices must be one text or more")
    source = json.dumps(value) + " " * len(str(dict(asked).get("json_schema", {}).get("name", "")))
    return None if kind == "text" else ResponseFormat(kind, source, closed is not False, order)
