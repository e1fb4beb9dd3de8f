"""Which tools may be called counts, and whether one must be does not."""

TODO = 10
HINT = 1


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    some, _ = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, names, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
