"""A call's first delta has the arguments that are already there."""

TODO = 13
HINT = 1


def call_deltas(names, arguments, sent, new_id):
    deltas = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        if index == len(sent):
            function = {"name": name, "arguments": text}
            deltas.append({"index": index, "id": new_id(), "type": "function", "function": function})
            sent.append(text)
        if more := text[len(sent[index]) :]:
            deltas.append({"index": index, "function": {"arguments": more}})
            sent[index] = text
    return deltas
