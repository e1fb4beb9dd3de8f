"""Each delta holds all arguments so far."""

TODO = 13
HINT = 1


def call_deltas(names, arguments, sent, new_id):
    deltas = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        if index == len(sent):
            function = {"name": name, "arguments": ""}
            deltas.append({"index": index, "id": new_id(), "type": "function", "function": function})
            sent.append("")
        if len(text) > len(sent[index]):
            deltas.append({"index": index, "function": {"arguments": text}})
            sent[index] = text
    return deltas
