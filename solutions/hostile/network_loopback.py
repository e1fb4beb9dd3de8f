"""Connects to a server on this machine, and to one outside, by TCP."""
# lab: 01, todo: 1

import socket

for address in (("127.0.0.1", int("@tcp@")), ("::1", int("@tcp@")), ("localhost", int("@tcp@")), ("192.0.2.1", 80)):
    try:
        with socket.create_connection(address, 0.3) as connection:
            connection.sendall(b"harm")
    except OSError:
        continue
