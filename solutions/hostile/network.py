"""Talks to servers on this machine and outside, by TCP, UDP, raw and Unix sockets."""
# lab: 01, todo: 1, wall, sample

import socket

HERE = [(socket.AF_INET, kind, ("127.0.0.1", int("@tcp@"))) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
HERE += [(socket.AF_UNIX, socket.SOCK_STREAM, path) for path in ("\x00@mark@", "@socket@")]
OUTSIDE = [(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)), (socket.AF_INET, socket.SOCK_RAW, ("127.0.0.1", 1))]
OUTSIDE += [(socket.AF_UNIX, socket.SOCK_STREAM, "/var/run/docker.sock")]
for family, kind, address in HERE + OUTSIDE:
    try:
        with socket.socket(family, kind, socket.IPPROTO_ICMP * (kind == socket.SOCK_RAW)) as connection:
            connection.settimeout(0.3)
            connection.connect(address)
            connection.sendall(b"harm")
    except OSError:
        continue
    if (family, kind, address) in OUTSIDE:
        raise RuntimeError(f"@token@ reached {address!r}")
