#!/usr/bin/env python3
"""Times histograms and statistics of OpenCV and of imgtool in turns, so that other work on the machine slows both.

cv2_histogram.py CHECKKERNELS [WIDTH HEIGHT [IMPL]]

imgtool's time is one run of `checkkernels --bench --op histogram`. It counts every channel and, for colour, luma; all
statistics follow from these counts. OpenCV needs cv2.calcHist once per channel, cvtColor and another calcHist for luma,
cv2.minMaxLoc for extremes and cv2.meanStdDev for the rest. Prints medians in milliseconds of 3 rounds of 15 runs each.
Needs the Python packages opencv and numpy (Debian: python3-opencv)."""
import re
import statistics
import subprocess
import sys
import time

import cv2
import numpy as np

ROUNDS, WARM_UP, SAMPLES = 3, 2, 15
FORMATS = [("gray8", 1, np.uint8), ("rgb8", 3, np.uint8), ("rgba8", 4, np.uint8),
           ("gray16", 1, np.uint16), ("rgb16", 3, np.uint16), ("rgba16", 4, np.uint16)]
FILLS = ["random", "photo", "constant"]


def picture(fill, width, height, channels, kind):
    """Makes a picture like those of `checkkernels --bench --fill`."""
    size = width * height * channels * np.dtype(kind).itemsize
    data = np.random.default_rng(1).integers(0, 256, size, np.uint8)
    if fill == "photo":
        data = (np.arange(size) // 16384 % 64 * 4).astype(np.uint8) + data % 4
    elif fill == "constant":
        data[:] = 128
    shape = (height, width) if channels == 1 else (height, width, channels)
    return data.view(kind).reshape(shape)


def histogram(image, channel):
    bins = int(np.iinfo(image.dtype).max) + 1
    return cv2.calcHist([image], [channel], None, [bins], [0, bins])


def channels_of(image):
    return 1 if image.ndim == 2 else image.shape[2]


def histograms(image):
    for channel in range(channels_of(image)):
        histogram(image, channel)


def histograms_and_luma(image):
    histograms(image)
    if channels_of(image) >= 3:
        code = cv2.COLOR_RGB2GRAY if channels_of(image) == 3 else cv2.COLOR_RGBA2GRAY
        histogram(cv2.cvtColor(image, code), 0)


def extremes_and_moments(image):
    cv2.meanStdDev(image)
    for channel in range(channels_of(image)):
        cv2.minMaxLoc(image if image.ndim == 2 else cv2.extractChannel(image, channel))


def milliseconds(function, image):
    samples = []
    for _ in range(WARM_UP + SAMPLES):
        start = time.perf_counter()
        function(image)
        samples.append(time.perf_counter() - start)
    return statistics.median(samples[WARM_UP:]) * 1e3


def ours(arguments, luma):
    """Returns the times of imgtool and of a plain read. Reads them from the line of checkkernels for this choice of
    luma."""
    output = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    times = {}
    for line in output.splitlines():
        match = re.match(rf"histogram {luma} count\s+\S+\s+(\(plain read\)|\S+)\s+([\d.]+)", line)
        if match:
            times[match[1] == "(plain read)"] = float(match[2])
    return times[False], times[True]


def compare(checkkernels, impl, size, threads, form, fill):
    name, channels, kind = form
    image = picture(fill, *size, channels, kind)
    arguments = [checkkernels, "--bench", "--backend", "cpu", "--op", "histogram", "--impl", impl,
                 "--threads", str(threads), "--size", "%dx%d" % size, "--fill", fill,
                 "--format", name]
    peers = [histograms, histograms_and_luma, extremes_and_moments]
    rounds = []
    for _ in range(ROUNDS):
        rounds.append([*ours(arguments, "709"), *(milliseconds(p, image) for p in peers)])
    mine, read, hist, hist_luma, moments = (statistics.median(c) for c in zip(*rounds))
    ratio = statistics.median(r[3] / r[0] for r in rounds)
    print(f"{threads} {name:<7} {fill:<9} {mine:9.2f} {read:9.2f} {hist:9.2f} {hist_luma:9.2f} "
          f"{ratio:8.1f}x {moments:9.2f}", flush=True)


def main():
    if len(sys.argv) not in (2, 4, 5):
        sys.exit(__doc__)
    size = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (4001, 3001)
    impl = sys.argv[4] if len(sys.argv) > 4 else "cpu-avx2"
    print(f"OpenCV {cv2.__version__}, {size[0]} x {size[1]}, {impl}, milliseconds")
    print("threads, format, contents; ours, plain read; cv2.calcHist of channels, with luma, "
          "that over ours; minMaxLoc and meanStdDev")
    for threads in (1, 2):
        cv2.setNumThreads(threads)
        for form in FORMATS:
            for fill in FILLS:
                compare(sys.argv[1], impl, size, threads, form, fill)


if __name__ == "__main__":
    main()
