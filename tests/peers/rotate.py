#!/usr/bin/env python3
"""rotate by any angle beside OpenCV, Pillow, libvips and ImageMagick: how much is lost when a picture goes round in
12 steps of 30 degrees.

    rotate.py IMGTOOL PICTURE.png...     exit code 1: bilinear leaves less of a picture than a peer's,
                                         or lanczos3 less than a peer's bicubic or ImageMagick

Needs the Python packages opencv-python-headless, numpy, pillow and pyvips[binary]; ImageMagick's convert is left out
where it is missing. Pictures are cut to 1024 x 768."""
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


def psnr(a, b):
    """Inside of the circle that every step keeps, and a little less: filters reach beyond it."""
    height, width = a.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    radius = min(width, height) / 2 - 8
    inside = (x - (width - 1) / 2) ** 2 + (y - (height - 1) / 2) ** 2 < radius * radius
    difference = a[inside].astype(np.float64) - b[inside].astype(np.float64)
    return 10 * np.log10(255**2 / np.mean(difference**2))


# --- Round in steps -------------------------------------------------------------------------------


def ours(picture, filter_, directory):
    source, result = os.path.join(directory, "in.png"), os.path.join(directory, "out.png")
    Image.fromarray(picture).save(source)
    step = f"rotate angle={ANGLE} size=keep background=black filter={filter_}"
    subprocess.run([IMGTOOL, "run", "-q", " | ".join([step] * STEPS), source, result], check=True)
    return np.asarray(Image.open(result))


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
    for filter_ in ("bilinear", "bicubic", "lanczos3"):
        found["imgtool", filter_] = ours(picture, filter_, directory)
    for filter_, flags in (("bilinear", cv2.INTER_LINEAR), ("bicubic", cv2.INTER_CUBIC),
                           ("lanczos4", cv2.INTER_LANCZOS4)):
        found["OpenCV", filter_] = repeated(lambda p, f=flags: opencv(p, f), picture)
    for filter_, value in (("bilinear", Image.BILINEAR), ("bicubic", Image.BICUBIC)):
        found["Pillow", filter_] = repeated(lambda p, f=value: pillow(p, f), picture)
    for filter_ in ("bilinear", "bicubic"):
        found["vips", filter_] = repeated(lambda p, f=filter_: vips(p, f), picture)
    if shutil.which("convert"):
        found["ImageMagick", "distort"] = magick(picture, directory)
    left = {name: psnr(picture, result) for name, result in found.items()}
    for (peer, filter_), value in left.items():
        print(f"{os.path.basename(path):<16} {peer:<12} {filter_:<10} {value:7.2f} dB", flush=True)

    def best(*filters):
        return max(value for (peer, filter_), value in left.items() if peer != "imgtool" and filter_ in filters)

    return (left["imgtool", "bilinear"] >= best("bilinear") - 0.02
            and left["imgtool", "lanczos3"] >= best("bicubic", "distort"))


def main():
    print(f"OpenCV {cv2.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}, Pillow {Image.__version__}")
    with tempfile.TemporaryDirectory() as directory:
        good = [quality(path, directory) for path in sys.argv[2:]]
    sys.exit(0 if all(good) else 1)


main()
