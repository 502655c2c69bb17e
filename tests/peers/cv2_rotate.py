#!/usr/bin/env python3
"""Times OpenCV's cv2.rotate in the same way as `checkkernels --bench --backend cpu` times imgtool: into existing
memory, as the median of 15 runs, in GB/s of bytes read plus bytes written.

cv2_rotate.py [WIDTH HEIGHT [THREADS]]

Needs the Python packages opencv-python-headless and numpy (Debian: python3-opencv)."""
import sys
import time

import cv2
import numpy as np

WARM_UP, SAMPLES = 3, 15
FORMATS = [("gray8", 1, np.uint8), ("gray16", 1, np.uint16), ("rgb8", 3, np.uint8),
           ("rgba8", 4, np.uint8), ("rgb16", 3, np.uint16), ("rgba16", 4, np.uint16)]
TURNS = [(90, cv2.ROTATE_90_CLOCKWISE), (180, cv2.ROTATE_180), (270, cv2.ROTATE_90_COUNTERCLOCKWISE)]


def median_seconds(source, turn):
    target = cv2.rotate(source, turn)
    samples = []
    for _ in range(WARM_UP + SAMPLES):
        start = time.perf_counter()
        cv2.rotate(source, turn, target)
        samples.append(time.perf_counter() - start)
    return sorted(samples[WARM_UP:])[SAMPLES // 2]


def main():
    width, height = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (4001, 3001)
    if len(sys.argv) > 3:
        cv2.setNumThreads(int(sys.argv[3]))
    print(f"OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads, {width} x {height}")
    random = np.random.default_rng(1)
    for name, channels, kind in FORMATS:
        shape = (height, width) if channels == 1 else (height, width, channels)
        source = random.integers(0, np.iinfo(kind).max, shape, kind, endpoint=True)
        for degrees, turn in TURNS:
            seconds = median_seconds(source, turn)
            print(f"rotate {degrees:<15} {name:<7} {'cv2.rotate':<20} {seconds * 1e3:10.3f} "
                  f"{2 * source.nbytes / seconds * 1e-9:8.1f} GB/s", flush=True)


if __name__ == "__main__":
    main()
