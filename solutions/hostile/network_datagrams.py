"""Sends datagrams to this machine and out of it, by UDP and by raw sockets."""
# lab: 01, todo: 1, sample

import socket

for kind, protocol in ((socket.SOCK_DGRAM, 0), (socket.SOCK_RAW, socket.IPPROTO_ICMP), (socket.SOCK_DGRAM, 1)):
    try:
        with socket.socket(socket.AF_INET, kind, protocol) as sender:
            sender.sendto(b"harm", ("127.0.0.1", int("@udp@")))
    except OSError:
        continue
try:
    socket.getaddrinfo("leak-@mark@.invalid", 80)
except OSError:
    pass
