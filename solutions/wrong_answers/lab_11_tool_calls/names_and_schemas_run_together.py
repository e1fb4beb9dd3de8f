"""Names and schemas are sorted apart, so that two tools may swap their parameters."""

TODO = 10
HINT = 2


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = [sorted(t.name for t in tools), sorted(json.dumps(t.parameters) for t in tools)]
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
