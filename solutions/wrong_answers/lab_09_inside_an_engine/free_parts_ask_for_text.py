"""A free part sends a response_format of type text, which an engine without grammars refuses."""

TODO = 14
HINT = 2


def generate_part(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError("one constraint at most")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else {"type": "text"},
    )
    (program.answers[name],) = answers(program.engine, request)
    program.text += program.answers[name]
    return program.answers[name]
