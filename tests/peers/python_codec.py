#!/usr/bin/env python3
"""Times imgtool's Python module, OpenCV and Pillow in turns: reading and writing a photo, and a loop over photos on a
pool of threads.

python_codec.py MODULES PHOTO.png [ROUNDS [PHOTOS]]

MODULES is the directory of the module, BUILD_DIR/app/python; PHOTO.png one of png_images.sh. Two processors are used.
Each round does everything once. Prints medians of times, and medians of the ratios within a round, which other work on
the machine affects less. A loop runs on one thread and on two, with PHOTOS photos each (500), in ten parts in turns.
Each call works on one thread, and each thread of the pool is bound to a processor; otherwise a busy system may
put both on one. Needs the Debian packages python3-opencv and python3-pil. Exit code 77 without them."""

import concurrent.futures
import itertools
import os
import statistics
import sys
import tempfile
import time

sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else ".")
try:
    import cv2
    import numpy
    from PIL import Image

    import imgtool
except ImportError as error:
    print(f"skipped: {error}", file=sys.stderr)
    sys.exit(77)

PROCESSORS = sorted(os.sched_getaffinity(0))[:2]
SLOW_ROUNDS = 3  # for work that takes seconds
PARTS = 10


def seconds(work):
    """Returns clock time and processor time of `work`. Other work on the machine affects processor time less."""
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


# --- One photo ------------------------------------------------------------------------------------


def readers(path):
    return {
        "imgtool": lambda: imgtool.read(path),
        "imgtool, one thread": lambda: imgtool.read(path, threads=1),
        "cv2": lambda: cv2.imread(path, cv2.IMREAD_UNCHANGED),
        "Pillow": lambda: Image.open(path).load(),
    }


def writers(path, directory):
    target = os.path.join(directory, "out.png")
    pixels = numpy.asarray(imgtool.read(path))
    swapped = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    image = Image.open(path)
    image.load()
    return target, {
        "imgtool": lambda: imgtool.write(target, pixels),
        "imgtool, one thread": lambda: imgtool.write(target, pixels, threads=1),
        "imgtool, level=1": lambda: imgtool.write(target, pixels, level=1),
        "imgtool, pixels of cv2": lambda: imgtool.write(target, swapped[..., ::-1]),
        "cv2": lambda: cv2.imwrite(target, swapped),
        "cv2, level 1": lambda: cv2.imwrite(target, swapped, [cv2.IMWRITE_PNG_COMPRESSION, 1]),
        "Pillow": lambda: image.save(target),
        "Pillow, level 1": lambda: image.save(target, compress_level=1),
    }


def measure(works, rounds, target=None):
    """Runs all works in each round. Returns a list of pairs of seconds per name, with one pair per round, and the bytes
    written."""
    times = {name: [] for name in works}
    sizes = {}
    for number in range(rounds):
        for name, work in works.items():
            if number < SLOW_ROUNDS or times[name][0][1] < 1:
                times[name].append(seconds(work))
            if target is not None and number == 0:
                sizes[name] = os.path.getsize(target)
    return times, sizes


def show(title, times, sizes):
    print(f"{title:26}      clock                processors")
    for name, some in times.items():
        columns = []
        for which in (0, 1):
            middle = statistics.median(pair[which] for pair in some)
            quotients = [pair[which] / own[which] for pair, own in zip(some, times["imgtool"])]
            columns.append(f"{middle * 1e3:8.1f} ms {statistics.median(quotients):6.2f} x")
        size = f"  {sizes[name] / 1e6:6.2f} MB" if sizes else ""
        print(f"  {name:24} {'  '.join(columns)}{size}")


# --- A loop over photos ---------------------------------------------------------------------------


def loop(work, photos, threads):
    """Returns the photos per second of a pool with this many threads."""
    numbers = itertools.count()

    def bind():
        os.sched_setaffinity(0, {PROCESSORS[next(numbers) % len(PROCESSORS)]})

    with concurrent.futures.ThreadPoolExecutor(threads, initializer=bind) as pool:
        return photos / seconds(lambda: list(pool.map(work, range(photos))))[0]


def loops(path, directory, photos):
    pixels = numpy.asarray(imgtool.read(path))

    def turn(number):
        picture = imgtool.run("rotate", imgtool.read(path, threads=1), threads=1)
        imgtool.write(os.path.join(directory, f"{number % 2}.png"), picture, threads=1)

    works = {
        "imgtool.read": lambda _: imgtool.read(path, threads=1).shape,
        "imgtool.write": lambda n: imgtool.write(f"{directory}/{n % 2}.png", pixels, threads=1),
        "read, rotate, write": turn,
        "cv2.imread": lambda _: cv2.imread(path, cv2.IMREAD_UNCHANGED).shape,
    }
    print(f"photos/s, {photos} photos by one and by two threads")
    for name, work in works.items():
        pairs = [[loop(work, photos // PARTS, count) for count in (1, 2)] for _ in range(PARTS)]
        one, two = (statistics.median(column) for column in zip(*pairs))
        scale = statistics.median(pair[1] / pair[0] for pair in pairs)
        print(f"  {name:24} {one:6.1f}  {two:6.1f}  {scale:5.2f} x")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path = sys.argv[2]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    photos = int(sys.argv[4]) if len(sys.argv) > 4 else 500
    os.sched_setaffinity(0, PROCESSORS)
    print(f"imgtool {imgtool.__version__}, OpenCV {cv2.__version__}, Pillow {Image.__version__}")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        times, sizes = measure(readers(path), rounds)
        show("read", times, sizes)
        target, works = writers(path, directory)
        times, sizes = measure(works, rounds, target)
        show("write", times, sizes)
        if photos > 0:
            loops(path, directory, photos)


if __name__ == "__main__":
    main()
