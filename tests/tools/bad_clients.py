#!/usr/bin/env python3
"""bad_clients.py SOCKET: sends messages and makes connections that no correct client of `imgtool serve` makes. Fails if
the server does not survive them."""
import array
import os
import random
import socket
import sys


def connect():
    client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    client.connect(sys.argv[1])
    return client


def send(data, descriptors=()):
    client = connect()
    control = []
    if descriptors:
        control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    client.sendmsg([data], control)
    return client


def hello(kind, protocol=1):
    return b"imgserve" + protocol.to_bytes(4, sys.byteorder) + kind.to_bytes(4, sys.byteorder)


random.seed(1)
here = os.open("/", os.O_PATH)
nothing = os.open("/dev/null", os.O_RDONLY)
for size in (1, 7, 8, 16, 100, 1000, 70000, 100000):
    assert send(random.randbytes(size)).recv(100), size
    send(hello(1) + random.randbytes(size), [here]).recv(100)
    send(hello(1, 7) + random.randbytes(size), [here, nothing]).recv(100)
    send(hello(9) + random.randbytes(size), [nothing] * 100).recv(100)
send(b"", [nothing] * 50)
for _ in range(300):  # clients that leave before the answer, or at once
    send(hello(1) + random.randbytes(200), [here]).close()
    connect().close()
# These are more connections than the server keeps. The server closes them after ten seconds, and other clients must not
# wait for that.
silent = [connect() for _ in range(200)]
client = send(hello(2) + bytes(200))
client.settimeout(8)
assert b"under way" in client.recv(100000)
