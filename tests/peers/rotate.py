#!/usr/bin/env python3
"""Compares rotate of imgtool, OpenCV, Pillow, libvips and ImageMagick at other angles than quarter turns: the loss when
a picture is turned in 12 steps of 30 degrees.

rotate.py IMGTOOL PICTURE.png...     exit code 1: a filter loses more than that of another program

The same filters are compared: bilinear, lanczos4, and bicubic with the same parameter a. OpenCV's bicubic has a = -3/4,
which imgtool lacks. So this script computes it with imgtool's arithmetic (positions in units of 1/1024 pixel, weights
in units of 2^-14). A check with a = -1/2 shows that the script gives imgtool's bytes. ImageMagick's filter has no
equivalent; its PSNR must be below that of lanczos3. Needs the Python packages opencv-python-headless, numpy, pillow and
pyvips[binary]; ImageMagick's convert is left out if it is missing. Pictures are cropped to 1024 x 768."""
import os
import shutil
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import pyvips
from PIL import Image

IMGTOOL = sys.argv[1]
STEPS, ANGLE = 12, 30
EQUAL = 0.02  # dB: the possible effect of rounding to 64ths before rounding to 8 bits


def psnr(a, b):
    """Returns the PSNR inside a circle that lies within the picture in every step. The circle is 8 pixels smaller than
    possible, because filters read pixels beyond it."""
    height, width = a.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    radius = min(width, height) / 2 - 8
    inside = (x - (width - 1) / 2) ** 2 + (y - (height - 1) / 2) ** 2 < radius * radius
    difference = a[inside].astype(np.float64) - b[inside].astype(np.float64)
    return 10 * np.log10(255**2 / np.mean(difference**2))


# --- A full turn in steps ---------------------------------------------------------------------------


def ours(picture, filter_, directory):
    source, result = os.path.join(directory, "in.png"), os.path.join(directory, "out.png")
    Image.fromarray(picture).save(source)
    step = f"rotate angle={ANGLE} size=keep background=black filter={filter_}"
    subprocess.run([IMGTOOL, "run", "-q", " | ".join([step] * STEPS), source, result], check=True)
    return np.asarray(Image.open(result))


def rounded(sums, places):
    return (sums + (1 << (places - 1))) >> places


def cubic_weights(a):
    """Returns the four weights at each of 1024 places between two pixels, in units of 2^-14. The nearer of the two
    middle weights is changed so that the four weights add up to 1."""
    x = np.abs(np.arange(1024)[:, None] / 1024 - np.arange(-1, 3))
    near = (a + 2) * x**3 - (a + 3) * x**2 + 1
    far = a * (x**3 - 5 * x**2 + 8 * x - 4)
    weights = np.floor(np.where(x <= 1, near, np.where(x < 2, far, 0)) * 16384 + 0.5).astype(np.int64)
    weights[np.arange(1024), np.where(np.arange(1024) <= 512, 1, 2)] += 16384 - weights.sum(axis=1)
    return weights


def cubic(picture, a, angle=ANGLE):
    """Rotates with bicubic weights, in the arithmetic of kernels/warp/warp.h. Pixels have three bytes, and the picture
    is surrounded by black."""
    height, width = picture.shape[:2]
    c, s = (int(np.floor(f(np.deg2rad(angle)) * 2**30 + 0.5)) for f in (np.cos, np.sin))
    y, x = np.mgrid[0:height, 0:width].astype(np.int64)

    def places(size, by_x, by_y):
        first = (size - 1) * 2**29 + ((by_x * (1 - width) + by_y * (1 - height)) >> 1)
        return rounded(first + by_x * x + by_y * y, 20)

    at = (places(width, c, s), places(height, -s, c))
    inside = [np.clip(np.minimum(p + 1024, n * 1024 - p), 0, 1024) for p, n in zip(at, (width, height))]
    cover = (inside[0] * inside[1])[..., None]
    lifted, weights = picture.astype(np.int64) << 6, cubic_weights(a)
    across, down = weights[at[0] & 1023], weights[at[1] & 1023]
    total = np.zeros(picture.shape, np.int64)
    for i in range(4):
        columns = np.clip((at[0] >> 10) + i - 1, 0, width - 1)
        column = np.zeros(picture.shape, np.int64)
        for k in range(4):
            rows = np.clip((at[1] >> 10) + k - 1, 0, height - 1)
            column += down[..., k, None] * lifted[rows, columns]
        total += across[..., i, None] * np.clip(rounded(column, 14), -32768, 32767)
    value = rounded(np.clip(rounded(total, 14), -32768, 32767) * cover, 20)
    return np.clip(rounded(value, 6), 0, 255).astype(np.uint8)


def opencv(picture, flags, angle=ANGLE):
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1)
    return cv2.warpAffine(picture, matrix, (width, height), flags=flags)


def pillow(picture, filter_, angle=ANGLE):
    return np.asarray(Image.fromarray(picture).rotate(-angle, filter_))


def vips(picture, filter_, angle=ANGLE):
    height, width = picture.shape[:2]
    radians = np.deg2rad(angle)
    c, s = np.cos(radians), np.sin(radians)
    x, y = (width - 1) / 2, (height - 1) / 2
    image = pyvips.Image.new_from_array(picture)
    turned = image.affine([c, -s, s, c], interpolate=pyvips.Interpolate.new(filter_), idx=-x, idy=-y, odx=x, ody=y,
                          oarea=[0, 0, width, height])
    return turned.numpy()


def magick(picture, directory):
    source, result = os.path.join(directory, "m.png"), os.path.join(directory, "n.png")
    Image.fromarray(picture).save(source)
    subprocess.run(["convert", source, *["-virtual-pixel", "black", "-distort", "SRT", str(ANGLE)] * STEPS, result],
                   check=True)
    return np.asarray(Image.open(result).convert("RGB"))


def repeated(rotate, picture):
    for _ in range(STEPS):
        picture = rotate(picture)
    return picture


def quality(path, directory):
    picture = np.ascontiguousarray(np.asarray(Image.open(path).convert("RGB"))[:768, :1024])
    found = {}
    for filter_ in ("bilinear", "bicubic", "lanczos3", "lanczos4"):
        found["imgtool", filter_] = ours(picture, filter_, directory)
    for filter_, flags in (("bilinear", cv2.INTER_LINEAR), ("bicubic", cv2.INTER_CUBIC),
                           ("lanczos4", cv2.INTER_LANCZOS4)):
        found["OpenCV", filter_] = repeated(lambda p, f=flags: opencv(p, f), picture)
    for filter_, value in (("bilinear", Image.BILINEAR), ("bicubic", Image.BICUBIC)):
        found["Pillow", filter_] = repeated(lambda p, f=value: pillow(p, f), picture)
    for filter_ in ("bilinear", "bicubic"):
        found["vips", filter_] = repeated(lambda p, f=filter_: vips(p, f), picture)
    same = repeated(lambda p: cubic(p, -0.5), picture)
    found["imgtool", "a = -3/4"] = repeated(lambda p: cubic(p, -0.75), picture)
    if shutil.which("convert"):
        found["ImageMagick", "distort"] = magick(picture, directory)
    left = {name: psnr(picture, result) for name, result in found.items()}
    for (peer, filter_), value in left.items():
        print(f"{os.path.basename(path):<16} {peer:<12} {filter_:<10} {value:7.2f} dB", flush=True)
    off = int((same.astype(int) != found["imgtool", "bicubic"]).sum())
    print(f"{os.path.basename(path):<16} our arithmetic here: {off} samples differ from imgtool's bicubic", flush=True)

    def best(*filters, peers=("OpenCV", "Pillow", "vips", "ImageMagick")):
        return max((value for (peer, filter_), value in left.items() if peer in peers and filter_ in filters), default=0)

    return (off == 0 and left["imgtool", "bilinear"] >= best("bilinear") - EQUAL
            and left["imgtool", "bicubic"] >= best("bicubic", peers=("Pillow", "vips"))
            and left["imgtool", "a = -3/4"] >= best("bicubic", peers=("OpenCV",)) - EQUAL
            and left["imgtool", "lanczos3"] >= best("distort")
            and left["imgtool", "lanczos4"] >= best("lanczos4"))


def main():
    print(f"OpenCV {cv2.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}, Pillow {Image.__version__}")
    with tempfile.TemporaryDirectory() as directory:
        good = [quality(path, directory) for path in sys.argv[2:]]
    sys.exit(0 if all(good) else 1)


main()
