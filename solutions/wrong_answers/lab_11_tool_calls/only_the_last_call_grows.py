"""Only the last call is looked at, so an earlier one's end is lost."""

TODO = 13
HINT = 3


def call_deltas(names, arguments, sent, new_id):
    deltas = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        if index == len(sent):
            function = {"name": name, "arguments": ""}
            deltas.append({"index": index, "id": new_id(), "type": "function", "function": function})
            sent.append("")
        if index == len(names) - 1 and (more := text[len(sent[index]) :]):
            deltas.append({"index": index, "function": {"arguments": more}})
            sent[index] = text
    return deltas
