"""imgtool.optimize, compared with the command, whose path is in IMGTOOL_COMMAND."""

import os
import subprocess
import unittest

import support
from support import imgtool, numpy, sample

COMMAND = os.environ.get("IMGTOOL_COMMAND")
NAMES = "landscape", "metadata", "palette-4", "interlaced-rgb-8", "trns-gray-2", "gray-alpha-16"


class Optimize(support.InDirectory):
    @unittest.skipUnless(COMMAND, "IMGTOOL_COMMAND names no command")
    def test_bytes_are_those_of_the_command(self):
        ours, theirs = self.path("a.png"), self.path("b.png")
        for name in NAMES:
            subprocess.run([COMMAND, "optimize", "--effort", "2", sample(f"{name}.png"), theirs], check=True)
            saved = imgtool.optimize(sample(f"{name}.png"), ours, effort=2)
            with open(ours, "rb") as one, open(theirs, "rb") as other:
                self.assertEqual(one.read(), other.read(), name)
            self.assertEqual(saved, os.path.getsize(sample(f"{name}.png")) - os.path.getsize(ours), name)

    def test_a_file_replaces_itself_and_does_not_change_again(self):
        path = self.path("a.png")
        pixels = numpy.zeros((40, 50, 3), "uint8")
        pixels[::2] = 255
        imgtool.write(path, pixels)
        self.assertGreater(imgtool.optimize(path, path), 0)
        self.assertEqual(imgtool.optimize(path, path), 0)
        self.assertEqual(imgtool.info(path)["color"], "gray")

    def test_settings(self):
        path, other = self.path("a.png"), self.path("b.png")
        imgtool.write(path, numpy.full((40, 50, 4), 255, "uint8"))
        imgtool.optimize(path, other, keep_type=True)
        self.assertEqual(imgtool.info(other)["color"], imgtool.info(path)["color"])
        with self.assertRaises(imgtool.UsageError):
            imgtool.optimize(path, other, effort=10)
        with self.assertRaises(imgtool.FileError):
            imgtool.optimize(self.path("missing.png"), other)


if __name__ == "__main__":
    unittest.main()
