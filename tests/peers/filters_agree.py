#!/usr/bin/env python3
"""Compares imgtool's point operations and filters with OpenCV, Pillow and libvips, on pictures of odd sizes, from 1 x 1
to larger than any window. If both programs define an operation in the same way, the differences must stay within the
bounds given here. Otherwise the differences are only printed.

filters_agree.py IMGTOOL        exit code 1: a difference exceeds its bound

Needs the Python packages opencv-python-headless, numpy, pillow and pyvips[binary]."""
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import pyvips
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

IMGTOOL = sys.argv[1]
SIZES = [(1, 1), (2, 1), (1, 5), (3, 3), (7, 5), (16, 31), (67, 43), (301, 203)]
BORDERS = {"replicate": "edge", "reflect": "reflect", "wrap": "wrap", "constant": "constant"}  # imgtool's names of border modes, and numpy's names
failures = 0


def pictures(kind):
    """Yields pictures of shapes with sharp edges and flat areas, and noise over them. The kind is gray8, gray16, rgb8
    or rgb16."""
    random = np.random.default_rng(7)
    maximum, sample = (65535, np.uint16) if kind.endswith("16") else (255, np.uint8)
    for width, height in SIZES:
        channels = 3 if kind.startswith("rgb") else 1
        y, x = np.mgrid[0:height, 0:width]
        shapes = ((x // 13 + y // 9) % 3)[..., None] * (maximum / 3) + random.integers(0, maximum // 3, channels)
        noise = random.normal(0, maximum / 20, (height, width, channels))
        yield np.clip(shapes + noise, 0, maximum).astype(sample).reshape(height, width, channels)


def swapped(picture):
    """Swaps red and blue, because OpenCV stores blue first."""
    return picture[..., ::-1] if picture.shape[2] >= 3 else picture


def ours(steps, picture, directory):
    source, result = os.path.join(directory, "in.png"), os.path.join(directory, "out.png")
    cv2.imwrite(source, swapped(picture[..., :3]) if picture.shape[2] == 3 else picture)
    subprocess.run([IMGTOOL, "run", "-q", steps, source, result], check=True)
    found = cv2.imread(result, cv2.IMREAD_UNCHANGED)
    found = found[..., None] if found.ndim == 2 else swapped(found)
    return found.astype(np.int64)


class Difference:
    """The largest difference over several pictures, and the number of samples that differ."""

    def __init__(self):
        self.most, self.differing, self.all = 0, 0, 0

    def add(self, ours_, theirs):
        theirs = np.asarray(theirs).astype(np.int64).reshape(ours_.shape)
        difference = np.abs(ours_ - theirs)
        self.most = max(self.most, int(difference.max()))
        self.differing += int((difference > 0).sum())
        self.all += difference.size


def compare(peer, kind, steps, theirs, bound, directory):
    """Compares the steps with `theirs`, which does the same to a picture. `theirs` may be a dictionary by border mode.
    A bound of None means that the definitions differ."""
    global failures
    total = Difference()
    for picture in pictures(kind):
        if not isinstance(theirs, dict):
            total.add(ours(steps, picture, directory), theirs(picture))
            continue
        for border, run in theirs.items():
            total.add(ours(f"{steps} border={border}", picture, directory), run(picture))
    passed = bound is None or total.most <= bound
    failures += not passed
    share = 100 * total.differing / total.all
    named = steps + (", each border" if isinstance(theirs, dict) else "")
    limit = "differs" if bound is None else bound
    print(f"{peer:<8} {kind:<7} {named:<56} {total.most:>5} {share:7.2f} % {limit:>8}{'' if passed else '  FAILED'}",
          flush=True)


# --- Other programs ------------------------------------------------------------------------------


def rounded(values, kind):
    return np.clip(np.floor(np.asarray(values, np.float64) + 0.5), 0, 65535 if kind.endswith("16") else 255)


def padded(picture, border, by):
    """Adds `by` samples around a picture, so that the peer's behaviour at edges does not matter. Some of the peer's
    border modes reject pictures that are smaller than the window."""
    return np.pad(picture, ((by, by), (by, by), (0, 0)), mode=BORDERS[border])


def inside(picture, by):
    return picture[by:-by, by:-by]


def with_borders(run, by, borders=BORDERS):
    """Returns a dictionary of functions by border mode. Each of them calls `run` with a padded picture."""
    def made(border):
        return lambda picture: inside(with_channels(run(padded(picture, border, by))), by)

    return {border: made(border) for border in borders}


def with_channels(filtered):
    """Restores the third dimension, which OpenCV and Pillow drop for gray pictures."""
    return filtered if filtered.ndim == 3 else filtered[..., None]


def gradient(picture):
    across = cv2.Sobel(picture, cv2.CV_64F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_64F, 0, 1)
    return np.sqrt(across * across + down * down)


def by_rectangle(run, size):
    return lambda p: run(p, cv2.getStructuringElement(cv2.MORPH_RECT, size))


def pillow(run):
    def apply(picture):
        image = Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture)
        return with_channels(np.asarray(run(image)))

    return apply


def vips(run):
    def apply(picture):
        image = pyvips.Image.new_from_array(picture, interpretation="srgb" if picture.shape[2] == 3 else "b-w")
        return run(image).numpy().reshape(picture.shape[0], picture.shape[1], -1)

    return apply


KERNEL = np.array([[1, 2, 0], [-3, 5, 1], [0, -1, 2]], np.float64)


def cases():
    for kind in ("gray8", "rgb8", "gray16", "rgb16"):
        deep = kind.endswith("16")
        top = 65535 if deep else 255
        yield "OpenCV", kind, "invert", cv2.bitwise_not, 0
        yield "double", kind, "gamma value=2.2", lambda p: rounded((p / top) ** (1 / 2.2) * top, kind), 1
        yield "double", kind, "linear multiply=1.3 add=-0.1", lambda p: rounded(p * 1.3 - 0.1 * top, kind), 1
        if not deep:
            yield "OpenCV", kind, "median radius=2", with_borders(lambda p: cv2.medianBlur(p, 5), 8), 0
        yield "OpenCV", kind, "erode size=5x3", with_borders(by_rectangle(cv2.erode, (5, 3)), 8), 0
        yield "OpenCV", kind, "dilate size=3x7", with_borders(by_rectangle(cv2.dilate, (3, 7)), 8), 0
        # imgtool computes squares in single precision, so results may differ by 1.
        yield "OpenCV", kind, "sobel", with_borders(lambda p: rounded(gradient(p), kind), 8), 1 if deep else 0
        yield "OpenCV", kind, "laplacian", with_borders(
            lambda p: rounded(np.abs(cv2.Laplacian(p, cv2.CV_64F)), kind), 8), 0
        # imgtool rounds weights to 16 bits.
        yield ("OpenCV", kind, f"convolve kernel={','.join('%d' % v for v in KERNEL.flat)} divisor=7",
               with_borders(lambda p: rounded(cv2.filter2D(p, cv2.CV_64F, KERNEL / 7), kind), 8), 4 if deep else 1)
        yield "OpenCV", kind, "boxblur radius=3", with_borders(
            lambda p: rounded(cv2.blur(p.astype(np.float64), (7, 7)), kind), 8), 0
        yield "OpenCV", kind, "blur sigma=2", with_borders(
            lambda p: cv2.GaussianBlur(p.astype(np.float64), (23, 23), 2).round(), 16), 132 if deep else 1
        yield "OpenCV", kind, "blur sigma=10", with_borders(
            lambda p: cv2.GaussianBlur(p.astype(np.float64), (81, 81), 10).round(), 60), 132 if deep else 1
    yield "OpenCV", "rgb8", "grayscale luma=601", lambda p: cv2.cvtColor(p, cv2.COLOR_RGB2GRAY), 1
    yield "OpenCV", "rgb8", "open size=5x5", by_rectangle(opened(cv2.MORPH_OPEN), (5, 5)), 0
    yield "OpenCV", "rgb8", "close size=5x5", by_rectangle(opened(cv2.MORPH_CLOSE), (5, 5)), 0
    yield ("OpenCV", "rgb8", "bilateral radius=4 sigma-range=25 sigma-space=2",
           with_borders(lambda p: cv2.bilateralFilter(p, 9, 25, 2), 8), 1)
    yield "Pillow", "rgb8", "grayscale luma=601", pillow(lambda i: i.convert("L")), 1
    yield "Pillow", "rgb8", "invert", pillow(ImageOps.invert), 0
    yield "Pillow", "rgb8", "saturation factor=1.5", pillow(lambda i: ImageEnhance.Color(i).enhance(1.5)), None
    yield "Pillow", "rgb8", "contrast factor=1.5", pillow(lambda i: ImageEnhance.Contrast(i).enhance(1.5)), None
    yield "Pillow", "rgb8", "blur sigma=2", pillow(lambda i: i.filter(ImageFilter.GaussianBlur(2))), None
    yield ("Pillow", "rgb8", "boxblur radius=3", pillow(lambda i: i.filter(ImageFilter.BoxBlur(3))), 1)
    yield ("Pillow", "rgb8", "sharpen sigma=1 amount=1",
           pillow(lambda i: i.filter(ImageFilter.UnsharpMask(1, 100, 0))), None)
    yield "vips", "rgb8", "invert", vips(lambda i: i.invert()), 0
    yield ("vips", "rgb8", "blur sigma=2",
           vips(lambda i: i.gaussblur(2, precision="float", min_ampl=0.001).rint().cast("uchar")), 1)
    for kind in ("gray8", "gray16"):  # vips rejects pictures that are smaller than the window
        yield "vips", kind, "median radius=2", with_borders(vips(lambda i: i.median(5)), 8), 0


def opened(operation):
    return lambda p, rectangle: cv2.morphologyEx(p, operation, rectangle)


def main():
    print(f"OpenCV {cv2.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}, {len(SIZES)} sizes")
    print(f"{'peer':<8} {'format':<7} {'steps':<55} {'most':>6} {'differing':>9} {'bound':>8}")
    with tempfile.TemporaryDirectory() as directory:
        for peer, kind, steps, theirs, bound in cases():
            compare(peer, kind, steps, theirs, bound, directory)
    sys.exit(1 if failures else 0)


main()
