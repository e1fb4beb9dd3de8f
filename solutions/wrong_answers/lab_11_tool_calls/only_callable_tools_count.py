"""Tools that may not be called are not in the key, although their openings are forbidden."""

TODO = 10
HINT = 3


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in some)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
