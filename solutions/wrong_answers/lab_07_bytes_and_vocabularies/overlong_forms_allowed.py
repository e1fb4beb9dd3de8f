"""Each encoded length is taken for all code points that fit into its bits, so that a slash may also be C0 AF."""

TODO = 2
HINT = 1


def utf8_sequences(first, last):
    sequences = []
    lengths = ((1, 0, 0x7F), (2, 0, 0x7FF), (3, 0, 0xD7FF), (3, 0xE000, 0xFFFF), (4, 0, 0x10FFFF))
    for n, low, high in lengths:
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            sequences.append(tuple(zip(encoded(start, n), encoded(stop, n), strict=True)))
            start = stop + 1
    return sequences


def encoded(point, n):
    lead = (0, 0x00, 0xC0, 0xE0, 0xF0)[n] + (point >> 6 * (n - 1))
    return (lead, *(0x80 + (point >> 6 * place) % 64 for place in reversed(range(n - 1))))
