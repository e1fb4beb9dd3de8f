"""A request that requires a call shares the guide of one that does not."""

TODO = 10
HINT = 1


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    chosen_tools(tools, tool_choice)
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
