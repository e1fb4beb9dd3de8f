"""Takes all memory that it can get, and writes to it."""
# lab: 01, todo: 1

held = []
while True:
    held.append(bytearray(64 << 20))
    held[-1][::4096] = b"x" * len(held[-1][::4096])
