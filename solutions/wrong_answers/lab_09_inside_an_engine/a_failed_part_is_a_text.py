"""A request that failed gives the tokens it has as the part."""

TODO = 14
HINT = 2


def generate_part(program, name, *, regex=None, choices=None, json_schema=None, max_tokens=64):
    options = (("regex", "pattern", regex), ("choice", "choices", choices), ("json_schema", "schema", json_schema))
    asked = [{"type": kind, field: value} for kind, field, value in options if value is not None]
    if len(asked) > 1:
        raise ValueError(f"a part has one constraint at most, and this one has {len(asked)}")
    request = program.engine.add_request(
        program.encode(program.text),
        replace(program.params, max_tokens=max_tokens),
        response_format=asked[0] if asked else None,
    )
    program.engine.generate(request)
    program.answers[name] = program.engine.vocabulary.decode(request.output_token_ids)
    program.text += program.answers[name]
    return program.answers[name]
