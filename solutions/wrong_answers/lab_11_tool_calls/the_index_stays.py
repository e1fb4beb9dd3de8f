"""A call of the message keeps the index of its deltas."""

TODO = 14
HINT = 3


def read_message(texts, deltas, finish_reason):
    calls = []
    for delta in deltas:
        if "id" in delta:
            call = dict(delta)
            calls.append(call | {"function": dict(delta["function"])})
        else:
            calls[delta["index"]]["function"]["arguments"] += delta["function"]["arguments"]
    content = "".join(texts)
    if not calls:
        return {"role": "assistant", "content": content}, finish_reason
    message = {"role": "assistant", "content": content if content.strip() else None, "tool_calls": calls}
    return message, "tool_calls" if finish_reason == "stop" else finish_reason
