"""Tools with the same names share a guide, whatever their parameters."""

TODO = 10
HINT = 1


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted(tool.name for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
