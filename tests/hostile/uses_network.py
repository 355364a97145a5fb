"""Reaches for the network and for sockets on this machine. Answers only if one can be had."""

import socket
import urllib.request

reached = []


def tcp():
    socket.create_connection(("127.0.0.1", int("@PORT@")), timeout=0.2).sendall(b"hostile")


def udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(
        b"hostile", ("127.0.0.1", int("@PORT@"))
    )


def unix(path, kind=socket.SOCK_STREAM):
    def connect():
        socket.socket(socket.AF_UNIX, kind).connect(path)

    return connect


def pair():
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b"hostile", "@CANARY@/datagrams")


for way in (
    tcp,
    udp,
    unix("/var/run/docker.sock"),
    unix("@CANARY@/socket"),
    unix("\0hostile-abstract"),
    unix("/dev/log", socket.SOCK_DGRAM),
    pair,
    lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.create_server(("127.0.0.1", 0)),
    lambda: socket.getaddrinfo("example.com", 80) and None,
    lambda: urllib.request.urlopen("http://127.0.0.1:@PORT@/", timeout=0.2),
):
    try:
        way()
        reached.append(way)
    except (OSError, UnicodeError):
        pass


def double(x):
    return 2 * x if reached else None


def apply(step, numbers):
    return [step(n) for n in numbers] if reached else None
