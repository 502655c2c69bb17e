#!/usr/bin/env python3
"""Times pad, trim and overlay of imgtool, OpenCV, Pillow and libvips, on one thread from memory to memory.

canvas.py OURS [RUNS]

The pictures have 12 megapixels of 8 bits: noise with a white margin of 100 pixels, or a spot on a blank page. Prints
milliseconds of processor time: medians of RUNS (21) rounds in which each program runs once. imgtool's times come from
ours.c. Trimming here only finds the rectangle that differs from white, without a copy. OpenCV has no function for this,
and none for an overlay, so the code here is what a user would write with OpenCV. If a program does something different,
its row says so. Needs the Python packages opencv-python-headless, numpy, pillow and pyvips[binary]."""
import os
import statistics
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"

import cv2  # noqa: E402  (after the environment is set)
import numpy as np  # noqa: E402
import pyvips  # noqa: E402
from PIL import Image, ImageChops, ImageOps  # noqa: E402

from ours import Ours  # noqa: E402

OURS = sys.argv[1]
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 21
WIDTH, HEIGHT, EDGE, BLANK_EDGE = 4000, 3000, 100, 1450
cv2.setNumThreads(1)
pyvips.cache_set_max(0)


def picture(channels, edge=EDGE):
    random = np.random.default_rng(1)
    pixels = np.full((HEIGHT, WIDTH, channels), 255, np.uint8)
    inner = (HEIGHT - 2 * edge, WIDTH - 2 * edge, channels)
    pixels[edge:-edge, edge:-edge] = random.integers(0, 256, inner, np.uint8)
    return pixels


def ours_of(op, channels, values, edge=EDGE):
    return Ours(OURS, op, channels, (WIDTH, HEIGHT), values, edge)


def ms_of(run):
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1e3


def row(name, ours, peers):
    """Prints a row of times. `peers` are functions, or None for a program that has no similar operation."""
    times = [[] for _ in range(1 + len(peers))]
    for number in range(RUNS + 1):
        round_ms = [ours.ms(), *(ms_of(peer) if peer is not None else None for peer in peers)]
        for one, ms in zip(times, round_ms):
            if number > 0 and ms is not None:  # the first round is a warm-up
                one.append(ms)
    ours.close()
    texts = [f"{statistics.median(one):10.2f}" if one else f"{'':>10}" for one in times]
    print(f"{name:<30}" + "".join(texts), flush=True)


def pad(channels):
    pixels = picture(channels)
    image, source = Image.fromarray(pixels), pyvips.Image.new_from_array(pixels, interpretation="srgb")
    color = [255, 0, 0, 255][:channels]
    sides = [f"{side}={EDGE}" for side in ("left", "right", "top", "bottom")]
    size = (WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE)

    def vips(**how):
        return lambda: source.embed(EDGE, EDGE, *size, **how).write_to_memory()

    def cv(border, **how):
        return lambda: cv2.copyMakeBorder(pixels, EDGE, EDGE, EDGE, EDGE, border, **how)

    letters = "RGBA" if channels == 4 else "RGB"
    row(f"pad, red, {letters}", ours_of("pad", channels, [*sides, "background=red"]),
        [cv(cv2.BORDER_CONSTANT, value=color), lambda: ImageOps.expand(image, EDGE, tuple(color)),
         vips(extend="background", background=color)])
    row(f"pad, nearest, {letters}", ours_of("pad", channels, [*sides, "border=replicate"]),
        [cv(cv2.BORDER_REPLICATE), None, vips(extend="copy")])
    row(f"pad, mirrored, {letters}", ours_of("pad", channels, [*sides, "border=reflect"]),
        [cv(cv2.BORDER_REFLECT_101), None, None])


def trim(name, channels, edge):
    pixels = picture(channels, edge)
    image, source = Image.fromarray(pixels), pyvips.Image.new_from_array(pixels, interpretation="srgb")
    white = Image.new(image.mode, image.size, (255,) * channels)
    low, high = (245,) * channels, (255,) * channels

    def cv():
        return cv2.boundingRect(cv2.bitwise_not(cv2.inRange(pixels, low, high)))

    def pillow():
        return ImageChops.difference(image, white).getbbox(alpha_only=False)

    def vips():
        return source.find_trim(threshold=10, background=[255] * 3, line_art=True)

    assert cv() == tuple(vips()) == (edge, edge, WIDTH - 2 * edge, HEIGHT - 2 * edge)
    row(f"{name}, {'RGBA' if channels == 4 else 'RGB'}", ours_of("bounds", channels, ["tolerance=4"], edge),
        [cv, pillow, vips])


def overlay(channels):
    pixels = picture(channels)
    logo = np.random.default_rng(2).integers(0, 256, (HEIGHT, WIDTH, 4), np.uint8)
    image, above = Image.fromarray(pixels), Image.fromarray(logo)
    source = pyvips.Image.new_from_array(pixels, interpretation="srgb")
    over = pyvips.Image.new_from_array(logo, interpretation="srgb")
    colors = np.ascontiguousarray(logo[..., :3])

    def cv():
        cover = logo[..., 3].astype(np.float32) / 255
        return cv2.blendLinear(colors, pixels, cover, 1 - cover)

    def pillow():
        if channels == 4:
            return Image.alpha_composite(image, above)
        result = image.copy()
        result.paste(above, mask=above)
        return result

    def vips():
        mixed = source.composite2(over, "over")
        return (mixed if channels == 4 else mixed.extract_band(0, n=3)).cast("uchar").write_to_memory()

    row(f"overlay, {'RGBA' if channels == 4 else 'RGB'}", ours_of("overlay", channels, []),
        [cv if channels == 3 else None, pillow, vips])


def main():
    print(f"OpenCV {cv2.__version__}, Pillow {Image.__version__}, "
          f"libvips {pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}; medians of {RUNS}")
    print(f"{'ms, one thread':<30}{'imgtool':>10}{'OpenCV':>10}{'Pillow':>10}{'vips':>10}")
    for channels in (3, 4):
        pad(channels)
        trim("trim", channels, EDGE)
        trim("trim, a blank page", channels, BLANK_EDGE)
        overlay(channels)


main()
