"""Imports and functions that all tests share: the module, NumPy, samples, and a directory to write to."""

import ctypes
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401 (the tests take it from here)
except ImportError:
    print("skipped: this Python has no numpy")
    sys.exit(77)

import imgtool  # noqa: F401

SAMPLES = os.environ["IMGTOOL_SAMPLES"]


def sample(name):
    return os.path.join(SAMPLES, name)


def make_pixels(shape, dtype="uint8", seed=1):
    """Returns pixels that are smooth enough for PNG filters to matter, and different in every channel."""
    random = numpy.random.default_rng(seed)
    slope = numpy.add.outer(numpy.arange(shape[0]), numpy.arange(shape[1]))
    if len(shape) == 3:
        slope = slope[:, :, None] * numpy.arange(1, shape[2] + 1)
    noise = random.integers(0, 16, shape)
    return ((slope + noise) * (257 if dtype == "uint16" else 1)).astype(dtype)


def run_python(text):
    """Runs Python code in a new process, which must succeed. Python 3.12 warns of every fork() beside threads."""
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", text]
    found = subprocess.run(command, stderr=subprocess.PIPE, env=os.environ, timeout=100)
    if (found.returncode, found.stderr) != (0, b""):
        raise AssertionError(f"{found.returncode}: {found.stderr.decode()}")


class _DlpackTensor(ctypes.Structure):
    """The structure DLManagedTensor of dlpack.h, with its parts."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_index", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("owner", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
    ]


class Tensor:
    """An object that exports one float, 1.0, by DLPack in any shape. `strides` are in samples, or None."""

    CPU, FLOAT = 1, 2

    def __init__(self, shape, strides):
        count = len(shape)
        self.value = ctypes.c_float(1)
        self.shape = (ctypes.c_int64 * count)(*shape)
        self.strides = (ctypes.c_int64 * count)(*strides) if strides else None
        address = ctypes.addressof(self.value)
        self.tensor = _DlpackTensor(
            address, self.CPU, 0, count, self.FLOAT, 32, 1, self.shape, self.strides, 0, None, None
        )

    def __dlpack_device__(self):
        return (self.CPU, 0)

    def __dlpack__(self, stream=None):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)


class InDirectory(unittest.TestCase):
    """A test with its own directory; self.path(name) is a path in it."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def path(self, name):
        return os.path.join(self.directory, name)
