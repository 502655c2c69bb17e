#!/usr/bin/env python3
"""Compares rotate, affine and perspective of imgtool, OpenCV, libvips and Pillow: the time on one thread from memory to
memory, for 12 megapixels of RGB, and the difference between the results of perspective in imgtool and in OpenCV.

warp.py IMGTOOL OURS        exit code 1: slower than OpenCV, or pixels in other places

Times are processor time, as medians of rounds in which the programs alternate, so that other work on the machine
affects all equally. imgtool's times come from ours.c. Needs the Python packages opencv-python-headless, numpy, pillow
and pyvips[binary]."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["VIPS_CONCURRENCY"] = "1"

import cv2  # noqa: E402  (after the environment is set)
import numpy as np  # noqa: E402
import pyvips  # noqa: E402
from PIL import Image  # noqa: E402

from ours import Ours  # noqa: E402

IMGTOOL, OURS = sys.argv[1:3]
WIDTH, HEIGHT, ANGLE, ROUNDS = 4000, 3000, 7.5, 5
CORNERS = [300, 200, 3600, 150, 3900, 2900, 120, 2700]
CV = {"bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC, "lanczos4": cv2.INTER_LANCZOS4}
cv2.setNumThreads(1)


def picture(width, height):
    """Returns smooth shapes with a little noise, like a photograph."""
    random = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 100 * np.sin(x / (90 + 40 * c)) * np.cos(y / (70 + 30 * c)) for c in range(3)]
    return np.clip(np.stack(planes, axis=2) + random.normal(0, 4, (height, width, 3)), 0, 255).astype(np.uint8)


# --- Times ----------------------------------------------------------------------------------------


def ours_ms(op, *options):
    ours = Ours(OURS, op, 3, (WIDTH, HEIGHT), options)
    times = [ours.ms() for _ in range(3)]
    ours.close()
    return statistics.median(times)


def process_ms(run):
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1e3


def row(name, programs):
    """Times and prints a row. Each program is a function that returns milliseconds. The first round is a warm-up."""
    times = {program: [] for program in programs}
    for turn in range(ROUNDS + 1):
        for program, run in programs.items():
            taken = run()
            if turn > 0:
                times[program].append(taken)
    medians = {program: statistics.median(taken) for program, taken in times.items()}
    print(f"{name:<24}" + "".join(f"{medians[p]:10.1f}" if p in medians else f"{'':>10}"
                                  for p in ("imgtool", "OpenCV", "vips", "Pillow")), flush=True)
    return medians["imgtool"] <= medians["OpenCV"]


def vips_rotate(source, filter_):
    turned = source.similarity(angle=ANGLE, interpolate=pyvips.Interpolate.new(filter_))
    return turned.crop((turned.width - WIDTH) // 2, (turned.height - HEIGHT) // 2, WIDTH, HEIGHT).write_to_memory()


def quad():
    sides = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float64)
    return np.array(CORNERS, np.float64).reshape(4, 2), sides


def homography(corners, sides):
    """Returns the matrix that maps positions in the result to positions in the source. Pixel centres have integer
    coordinates here."""
    return cv2.getPerspectiveTransform((sides - 0.5).astype(np.float32), (corners - 0.5).astype(np.float32))


def times():
    pixels = picture(WIDTH, HEIGHT)
    image, source = Image.fromarray(pixels), pyvips.Image.new_from_array(pixels, interpretation="srgb")
    matrix = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), -ANGLE, 1)
    size, ahead = (WIDTH, HEIGHT), []
    print(f"{'ms, one thread':<24}{'imgtool':>10}{'OpenCV':>10}{'vips':>10}{'Pillow':>10}")
    for filter_ in ("bilinear", "bicubic", "lanczos4"):
        programs = {
            "imgtool": lambda f=filter_: ours_ms("rotate", f"angle={ANGLE}", "size=keep", "background=black", f"filter={f}"),
            "OpenCV": lambda f=filter_: process_ms(lambda: cv2.warpAffine(pixels, matrix, size, flags=CV[f]))}
        if filter_ != "lanczos4":
            value = {"bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC}[filter_]
            programs["vips"] = lambda f=filter_: process_ms(lambda: vips_rotate(source, f))
            programs["Pillow"] = lambda v=value: process_ms(lambda: image.rotate(-ANGLE, v))
        ahead.append(row(f"rotate, {filter_}", programs))
    projection = homography(*quad())
    for filter_ in ("bilinear", "bicubic", "lanczos4"):
        corners = ",".join(map(str, CORNERS))
        ahead.append(row(f"perspective, {filter_}", {
            "imgtool": lambda f=filter_: ours_ms("perspective", f"corners={corners}", f"size={WIDTH}x{HEIGHT}",
                                                 f"filter={f}"),
            "OpenCV": lambda f=filter_: process_ms(
                lambda: cv2.warpPerspective(pixels, projection, size, flags=CV[f] | cv2.WARP_INVERSE_MAP))}))
    return all(ahead)


# --- Pixels ---------------------------------------------------------------------------------------


def agreement():
    """Returns the largest differences from OpenCV's perspective for bilinear enlargement, which both programs compute
    in the same way."""
    pixels = cv2.GaussianBlur(picture(500, 400), (0, 0), 2)
    farthest = 0
    with tempfile.TemporaryDirectory() as directory:
        source, result = os.path.join(directory, "in.png"), os.path.join(directory, "out.png")
        Image.fromarray(pixels).save(source)
        for corners in ([60, 40, 450, 70, 470, 380, 25, 350], [100, 30, 300, 40, 420, 390, 11, 360]):
            given = ",".join(map(str, corners))
            subprocess.run([IMGTOOL, "perspective", "-q", "--corners", given, "--size", "900x800", "--filter",
                            "bilinear", source, result], check=True)
            sides = np.array([[0, 0], [900, 0], [900, 800], [0, 800]], np.float64)
            projection = homography(np.array(corners, np.float64).reshape(4, 2), sides)
            wanted = cv2.warpPerspective(pixels, projection, (900, 800),
                                         flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            difference = np.abs(np.asarray(Image.open(result)).astype(int) - wanted)
            farthest = max(farthest, int(difference.max()))
            print(f"perspective beside OpenCV, corners {given}: mean difference {difference.mean():.4f}, largest "
                  f"{difference.max()}")
    return farthest <= 1


def main():
    print(f"OpenCV {cv2.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}, Pillow {Image.__version__}")
    good = agreement()
    sys.exit(0 if times() and good else 1)


main()
