"""The programs of samples/python work as their descriptions say, with and without PyTorch and CuPy."""

import os
import re
import subprocess
import sys
import unittest

import support
from support import imgtool, make_pixels, numpy

PROGRAMS = os.path.join(support.SAMPLES, "python")
LINES_MOST = 60


class Programs(support.InDirectory):
    def run_program(self, name, *arguments):
        """Runs a program, and returns what it wrote to stdout and stderr."""
        command = [sys.executable, os.path.join(PROGRAMS, name), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, done.stderr

    def expect_right(self, text, least):
        """Expects that the program reports at least this share of right answers, in percent."""
        found = re.search(r"([\d.]+)% right", text)
        self.assertIsNotNone(found, text)
        self.assertGreaterEqual(float(found.group(1)), least, text)

    def test_they_are_short(self):
        for name in os.listdir(PROGRAMS):
            if name.endswith(".py"):
                with open(os.path.join(PROGRAMS, name), encoding="utf-8") as file:
                    self.assertLessEqual(len(file.readlines()), LINES_MOST, name)

    def test_classify(self):
        for number, name in enumerate(("dark", "light")):
            os.mkdir(self.path(name))
            for i in range(24):
                picture = make_pixels((90 + i, 100, 3), seed=i) // 3 + 100 * number
                imgtool.write(self.path(f"{name}/{i}.png"), picture.astype("uint8"))
        with open(self.path("dark/damaged.png"), "wb") as file:
            file.write(b"damaged")
        text, _ = self.run_program("classify.py", self.directory, "4")
        self.assertIn("49 pictures of 2 classes", text)
        self.expect_right(text, 90)

    def test_segment(self):
        os.mkdir(self.path("pictures"))
        os.mkdir(self.path("masks"))
        for i in range(16):
            mask = numpy.random.default_rng(i).integers(0, 3, (6, 7)).repeat(8, 0).repeat(8, 1).astype("uint8")
            colors = numpy.uint8([[200, 30, 30], [30, 200, 30], [30, 30, 200]])[mask]
            imgtool.write(self.path(f"pictures/{i}.png"), colors + make_pixels(colors.shape, seed=i) % 32)
            imgtool.write(self.path(f"masks/{i}.png"), mask)
        text, _ = self.run_program("segment.py", self.path("pictures"), self.path("masks"), "4")
        self.assertIn("16 pictures, 3 classes", text)
        self.expect_right(text, 90)

    def test_similar(self):
        for i in range(5):
            imgtool.write(self.path(f"{i}.png"), numpy.random.default_rng(i).integers(0, 256, (64, 64, 3), "uint8"))
        imgtool.write(self.path("copy.png"), imgtool.run("resize 50%", imgtool.read(self.path("3.png"))))
        with open(self.path("damaged.png"), "wb") as file:
            file.write(b"damaged")
        names = sorted(os.path.join(self.directory, name) for name in os.listdir(self.directory))
        text, errors = self.run_program("similar.py", *names)
        self.assertEqual(set(re.findall(r"(\w+)\.png", text)), {"3", "copy"}, text)
        self.assertIn("damaged.png: ", errors)


if __name__ == "__main__":
    unittest.main()
