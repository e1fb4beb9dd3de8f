"""A delta is told even if nothing is new."""

TODO = 13
HINT = 3


def call_deltas(names, arguments, sent, new_id):
    deltas = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        if index == len(sent):
            function = {"name": name, "arguments": ""}
            deltas.append({"index": index, "id": new_id(), "type": "function", "function": function})
            sent.append("")
        more = text[len(sent[index]) :]
        if True:
            deltas.append({"index": index, "function": {"arguments": more}})
            sent[index] = text
    return deltas
