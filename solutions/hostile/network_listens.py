"""Opens a server of its own, for others to fetch the answers from."""
# lab: 01, todo: 1

import socket

for family, address in (
    (socket.AF_INET, ("127.0.0.1", 0)),
    (socket.AF_UNIX, "\x00harm-@mark@"),
    (socket.AF_UNIX, "@shared_folder@/harm-@mark@"),
):
    try:
        server = socket.socket(family)
        server.bind(address)
        server.listen()
    except OSError:
        continue
    raise RuntimeError(f"@token@ listens at {address}")
