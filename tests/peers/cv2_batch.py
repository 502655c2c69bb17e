#!/usr/bin/env python3
"""cv2_batch.py PROCESSES IN_DIR OUT_DIR [SETTING=NUMBER...]: turns all PNG files below a directory by 90 degrees
with OpenCV in a pool of processes, one thread each, into the same tree. SETTING is compression or strategy:
IMWRITE_PNG_COMPRESSION and _STRATEGY; without them imwrite decides. Exit code 77 without OpenCV. Needs the Debian
package python3-opencv."""
import multiprocessing
import os
import sys

try:
    import cv2
except ImportError:
    print("skipped: this Python has no module cv2", file=sys.stderr)
    sys.exit(77)

SETTINGS = {"compression": cv2.IMWRITE_PNG_COMPRESSION, "strategy": cv2.IMWRITE_PNG_STRATEGY}


def turn(job):
    source, target, settings = job
    image = cv2.imread(source, cv2.IMREAD_UNCHANGED)
    if image is None:
        return source
    if not cv2.imwrite(target, cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), settings):
        return target
    return None


def jobs(source_directory, target_directory, settings):
    for directory, _, names in os.walk(source_directory):
        target = os.path.join(target_directory, os.path.relpath(directory, source_directory))
        os.makedirs(target, exist_ok=True)
        for name in sorted(names):
            if name.endswith(".png"):
                yield os.path.join(directory, name), os.path.join(target, name), settings


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    settings = []
    for argument in sys.argv[4:]:
        name, number = argument.split("=")
        settings += [SETTINGS[name], int(number)]
    # Processes are forked, so that they need no imports. A fork loses threads, but there are none yet.
    with multiprocessing.get_context("fork").Pool(int(sys.argv[1]), cv2.setNumThreads, (1,)) as pool:
        work = jobs(sys.argv[2], sys.argv[3], settings)
        failures = [name for name in pool.imap_unordered(turn, work) if name is not None]
    for name in failures:
        print(f"failed: {name}", file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
