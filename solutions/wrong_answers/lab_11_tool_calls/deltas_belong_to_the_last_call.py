"""A delta without an id is added to the last call, whatever its index."""

TODO = 14
HINT = 3


def read_message(texts, deltas, finish_reason):
    calls = []
    for delta in deltas:
        if "id" in delta:
            call = {key: value for key, value in delta.items() if key != "index"}
            calls.append(call | {"function": dict(delta["function"])})
        else:
            calls[-1]["function"]["arguments"] += delta["function"]["arguments"]
    content = "".join(texts)
    if not calls:
        return {"role": "assistant", "content": content}, finish_reason
    message = {"role": "assistant", "content": content if content.strip() else None, "tool_calls": calls}
    return message, "tool_calls" if finish_reason == "stop" else finish_reason
