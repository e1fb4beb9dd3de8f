"""An id is made for every call that is looked at."""

TODO = 13
HINT = 3


def call_deltas(names, arguments, sent, new_id):
    deltas = []
    for index, (name, text) in enumerate(zip(names, arguments, strict=True)):
        call_id = new_id()
        if index == len(sent):
            function = {"name": name, "arguments": ""}
            deltas.append({"index": index, "id": call_id, "type": "function", "function": function})
            sent.append("")
        if more := text[len(sent[index]) :]:
            deltas.append({"index": index, "function": {"arguments": more}})
            sent[index] = text
    return deltas
