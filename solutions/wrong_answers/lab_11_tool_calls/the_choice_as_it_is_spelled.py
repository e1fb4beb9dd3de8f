"""The choice counts as it was sent, so that a missing one is compiled again."""

TODO = 10
HINT = 2


def tool_set_key(row_name, tools, tool_choice="auto", parallel=True, fingerprint=""):
    chosen_tools(tools, tool_choice)
    schemas = sorted([tool.name, json.dumps(tool.parameters)] for tool in tools)
    parts = [row_name, schemas, json.dumps(tool_choice), parallel, fingerprint]
    return sha256(json.dumps(parts).encode()).hexdigest()
