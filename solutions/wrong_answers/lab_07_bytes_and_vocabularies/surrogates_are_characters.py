"""The three bytes of a surrogate are taken for UTF-8 too, so the range above U+07FF has no gap."""

TODO = 2
HINT = 1


def utf8_sequences(first, last):
    sequences = []
    for low, high in ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF)):
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            ends = (chr(point).encode("utf-8", "surrogatepass") for point in (start, stop))
            sequences.append(tuple(zip(*ends, strict=True)))
            start = stop + 1
    return sequences
