"""The model chooses freely; a forbidden choice is dropped afterwards, and its step is lost."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        choice = sample(softmax(model(ids)), u)
        if build_mask(texts, text, viable)[choice]:
            ids.append(choice)
            text += texts[choice]
    return ids
