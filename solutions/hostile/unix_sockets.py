"""Talks to a neighbour's Unix sockets, the one with a path and the abstract one."""
# lab: 01, todo: 1, sample

import socket

for address in ("\x00@abstract@", "@socket@", "/var/run/docker.sock", "/run/dbus/system_bus_socket"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            connection = socket.socket(socket.AF_UNIX, kind)
            connection.connect(address)
            connection.sendall(b"harm")
        except OSError:
            continue
