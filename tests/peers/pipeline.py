#!/usr/bin/env python3
"""Times one pipeline from file to file: imgtool, and OpenCV and libvips in small scripts. Whole processes run in turns.
Prints the median of the rounds in seconds, and the time relative to imgtool's.

pipeline.py IMGTOOL IN.png [ROUNDS]

Needs the Python packages opencv-python-headless, numpy and pyvips[binary]; missing ones are left out. A process
that only imports them is timed too, because a program in C or C++ would not have that cost."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

STEPS = "grayscale | blur sigma=2 | sobel | levels black=5 white=90 | gamma value=1.4"

OPENCV = """
import sys, cv2, numpy as np
gray = cv2.cvtColor(cv2.imread(sys.argv[1]), cv2.COLOR_BGR2GRAY)
gray = cv2.GaussianBlur(gray, (0, 0), 2)
across, down = cv2.Sobel(gray, cv2.CV_16S, 1, 0), cv2.Sobel(gray, cv2.CV_16S, 0, 1)
edges = cv2.convertScaleAbs(cv2.magnitude(across.astype(np.float32), down.astype(np.float32)))
level = np.clip((np.arange(256) / 255 - 0.05) / 0.85, 0, 1)
edges = cv2.LUT(edges, np.rint(level ** (1 / 1.4) * 255).astype(np.uint8))
cv2.imwrite(sys.argv[2], edges)
"""

VIPS = """
import sys, pyvips
image = pyvips.Image.new_from_file(sys.argv[1], access="sequential")
image = image.colourspace("b-w").gaussblur(2).sobel()
level = ((pyvips.Image.identity() / 255 - 0.05) / 0.85)
level = (level < 0).ifthenelse(0, (level > 1).ifthenelse(1, level))
image.maplut((level ** (1 / 1.4) * 255).rint().cast("uchar")).write_to_file(sys.argv[2])
"""


def has(package):
    return subprocess.run([sys.executable, "-c", f"import {package}"], capture_output=True).returncode == 0


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


def main():
    imgtool, source = sys.argv[1], sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    with tempfile.TemporaryDirectory() as directory:
        result = os.path.join(directory, "out.png")
        python = lambda script: [sys.executable, "-c", script, source, result]  # noqa: E731
        commands = {"imgtool": [imgtool, "run", "-q", STEPS, "--backend", "cpu", source, result]}
        if has("cv2"):
            commands |= {"OpenCV": python(OPENCV), "import cv2": python("import cv2, numpy")}
        if has("pyvips"):
            commands |= {"libvips": python(VIPS), "import pyvips": python("import pyvips")}
        times = {name: [] for name in commands}
        for _ in range(rounds + 1):
            for name, command in commands.items():
                times[name].append(seconds(command))
    medians = {name: statistics.median(samples[1:]) for name, samples in times.items()}
    for name, median in medians.items():
        print(f"{name:<14} {median:7.3f} s   {median / medians['imgtool']:5.2f}")


main()
