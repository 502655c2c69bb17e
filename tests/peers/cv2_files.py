#!/usr/bin/env python3
"""Processes PNG files with OpenCV. Exit code 77 without OpenCV. Needs the Debian package python3-opencv.

    cv2_files.py turn IN.png OUT.png
        turns a file by 90 degrees with the default settings, and prints the microseconds of reading, turning and
        writing, without the start of Python
    cv2_files.py batch PROCESSES IN_DIR OUT_DIR [SETTING=NUMBER...]
        turns all PNG files below a directory by 90 degrees in a pool of processes of one thread each, into the same
        tree. SETTING is compression or strategy: IMWRITE_PNG_COMPRESSION and _STRATEGY; without them imwrite decides
    cv2_files.py thumbnails PROCESSES SIZE OUTPUT_DIR FILE...
        makes thumbnails in a pool of processes
"""
import multiprocessing
import os
import sys
import time

try:
    import cv2
except ImportError:
    print("skipped: this Python has no module cv2", file=sys.stderr)
    sys.exit(77)

SETTINGS = {"compression": cv2.IMWRITE_PNG_COMPRESSION, "strategy": cv2.IMWRITE_PNG_STRATEGY}


def turn_file(source, target):
    start = time.perf_counter()
    image = cv2.imread(source, cv2.IMREAD_UNCHANGED)
    cv2.imwrite(target, cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
    print(round((time.perf_counter() - start) * 1e6))


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


def batch(processes, source_directory, target_directory, *arguments):
    settings = []
    for argument in arguments:
        name, number = argument.split("=")
        settings += [SETTINGS[name], int(number)]
    # Processes are forked, so that they inherit the imported modules. A fork loses threads, but there are none yet.
    with multiprocessing.get_context("fork").Pool(int(processes), cv2.setNumThreads, (1,)) as pool:
        work = jobs(source_directory, target_directory, settings)
        failures = [name for name in pool.imap_unordered(turn, work) if name is not None]
    for name in failures:
        print(f"failed: {name}", file=sys.stderr)
    sys.exit(1 if failures else 0)


def thumbnail(job):
    path, most, directory = job
    cv2.setNumThreads(1)
    picture = cv2.imread(path, cv2.IMREAD_COLOR)
    height, width = picture.shape[:2]
    scale = min(1, most / width, most / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    cv2.imwrite(os.path.join(directory, os.path.basename(path)),
                cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


def thumbnails(processes, most, directory, *files):
    with multiprocessing.Pool(int(processes)) as pool:
        pool.map(thumbnail, [(path, int(most), directory) for path in files], chunksize=4)


if __name__ == "__main__":
    commands = {"turn": turn_file, "batch": batch, "thumbnails": thumbnails}
    if len(sys.argv) < 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
