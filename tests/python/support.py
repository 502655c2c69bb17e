"""What the tests share: the module, NumPy, samples and a directory to write to."""

import os
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
    """Smooth enough for filters of PNG to matter, and different in every channel."""
    random = numpy.random.default_rng(seed)
    slope = numpy.add.outer(numpy.arange(shape[0]), numpy.arange(shape[1]))
    if len(shape) == 3:
        slope = slope[:, :, None] * numpy.arange(1, shape[2] + 1)
    noise = random.integers(0, 16, shape)
    return ((slope + noise) * (257 if dtype == "uint16" else 1)).astype(dtype)


class InDirectory(unittest.TestCase):
    """A test with a directory of its own, self.path(name)."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def path(self, name):
        return os.path.join(self.directory, name)
