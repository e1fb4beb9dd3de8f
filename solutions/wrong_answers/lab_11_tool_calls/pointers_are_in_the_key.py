"""Where a tool stood in the request is a part of the key."""

TODO = 10
HINT = 1


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    some, required = chosen_tools(tools, tool_choice)
    names = sorted(tool.name for tool in some)
    schemas = sorted([tool.name, json.dumps(tool.parameters), tool.pointer] for tool in tools)
    parts = [row_name, schemas, names, required, parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
