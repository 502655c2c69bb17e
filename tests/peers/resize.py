#!/usr/bin/env python3
"""Compares resize of imgtool, OpenCV, Pillow and libvips: the time on one thread from memory to memory, and the
difference of results from the same sums in double precision.

resize.py IMGTOOL OURS [PHOTO.png]

Times are processor time, the minimum of several runs, so that other work on the machine matters little. imgtool's times
come from ours.c. PSNR is relative to unrounded Lanczos3 in double precision. It leaves out 16 pixels at each edge,
because programs treat borders differently. "rounding" is the loss if this exact result is rounded. SSIM (Wang, Bovik,
Sheikh and Simoncelli, 2004) is relative to the same result. It is printed as its difference from 1, the mean over
channels, in millionths. Needs the Python packages opencv-python-headless, numpy, pillow and pyvips[binary]."""
import math
import os
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
RUNS, EDGE = 3, 16
cv2.setNumThreads(1)


def picture(width, height, channels=3):
    """Returns smooth shapes with a little noise, like a photograph."""
    random = np.random.default_rng(1)
    y, x = np.mgrid[0:height, 0:width]
    planes = [128 + 100 * np.sin(x / (90 + 40 * c)) * np.cos(y / (70 + 30 * c)) for c in range(channels)]
    return np.clip(np.stack(planes, axis=2) + random.normal(0, 4, (height, width, channels)), 0, 255).astype(np.uint8)


# --- Times ----------------------------------------------------------------------------------------


def least_ms(run):
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        times.append((time.process_time() - start) * 1e3)
    return min(times)


def ours_ms(width, height, channels, size, filter_):
    values = [f"size={size[0]}x{size[1]}", "fit=fill", f"filter={filter_}"]
    ours = Ours(OURS, "resize", channels, (width, height), values)
    least = min(ours.ms() for _ in range(RUNS))
    ours.close()
    return least


def vips_of(pixels):
    return pyvips.Image.new_from_array(pixels, interpretation="srgb")


def time_row(name, width, height, channels, size, filter_, cv_filter):
    pixels = picture(width, height, channels)
    image = Image.fromarray(pixels)
    source = vips_of(pixels)
    pillow = {"lanczos3": Image.Resampling.LANCZOS, "bicubic": Image.Resampling.BICUBIC}[filter_]
    kernel = {"lanczos3": "lanczos3", "bicubic": "cubic"}[filter_]

    def vips():
        scaled = source.premultiply() if channels == 4 else source
        scaled = scaled.resize(size[0] / width, vscale=size[1] / height, kernel=kernel)
        (scaled.unpremultiply().cast("uchar") if channels == 4 else scaled).write_to_memory()

    times = [ours_ms(width, height, channels, size, filter_),
             least_ms(lambda: cv2.resize(pixels, size, interpolation=cv_filter)),
             least_ms(lambda: image.resize(size, pillow)), least_ms(vips)]
    print(f"{name:<34}" + "".join(f"{ms:10.1f}" for ms in times), flush=True)


# --- Quality --------------------------------------------------------------------------------------


def lanczos3(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


def matrix(count, wanted):
    """Returns a matrix. Row i has the weights of the `count` samples for result sample i. Beyond an edge, the nearest
    sample is used."""
    ratio = count / wanted
    scale = max(ratio, 1)
    weights = np.zeros((wanted, count))
    for i in range(wanted):
        at = (i + 0.5) * ratio - 0.5
        places = np.arange(math.floor(at - 3 * scale), math.ceil(at + 3 * scale) + 1)
        taps = lanczos3((places - at) / scale)
        np.add.at(weights[i], np.clip(places, 0, count - 1), taps / taps.sum())
    return weights


def exact(pixels, size):
    across, down = matrix(pixels.shape[1], size[0]), matrix(pixels.shape[0], size[1])
    planes = [down @ pixels[..., c].astype(np.float64) @ across.T for c in range(pixels.shape[2])]
    return np.clip(np.stack(planes, axis=2), 0, 255)


def psnr(found, right):
    inner = (slice(EDGE, -EDGE), slice(EDGE, -EDGE))
    error = np.mean((found[inner].astype(np.float64) - right[inner]) ** 2)
    return 10 * math.log10(255 ** 2 / error)


def ssim_lack(found, right):
    """Returns 1 minus the mean SSIM, in millionths. Windows are Gaussian, of 11 x 11 pixels with sigma 1.5. K1 is 0.01
    and K2 is 0.03."""
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    inner = (slice(EDGE, -EDGE), slice(EDGE, -EDGE))

    def mean(values):
        return cv2.GaussianBlur(values, (11, 11), 1.5)

    a, b = found.astype(np.float64), right
    mean_a, mean_b = mean(a), mean(b)
    var_a, var_b = mean(a * a) - mean_a ** 2, mean(b * b) - mean_b ** 2
    covariance = mean(a * b) - mean_a * mean_b
    ssim = ((2 * mean_a * mean_b + c1) * (2 * covariance + c2)
            / ((mean_a ** 2 + mean_b ** 2 + c1) * (var_a + var_b + c2)))
    return (1 - np.mean(ssim[inner])) * 1e6


def ours(pixels, size, directory):
    source, result = os.path.join(directory, "in.png"), os.path.join(directory, "out.png")
    cv2.imwrite(source, pixels[..., ::-1])
    subprocess.run([IMGTOOL, "resize", "-q", f"{size[0]}x{size[1]}", "--fit", "fill", "--strip", source, result],
                   check=True)
    return cv2.imread(result, cv2.IMREAD_COLOR)[..., ::-1]


def quality_row(name, pixels, size, directory):
    right = exact(pixels, size)
    height, width = pixels.shape[:2]
    results = [ours(pixels, size, directory),
               np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS)),
               vips_of(pixels).resize(size[0] / width, vscale=size[1] / height, kernel="lanczos3").numpy()]
    best = np.floor(right + 0.5)
    print(f"{name:<34}" + "".join(f"{psnr(result, right):10.2f}" for result in [*results, best])
          + "".join(f"{ssim_lack(result, right):10.0f}" for result in [*results, best]), flush=True)


def zone_plate(side):
    y, x = np.mgrid[0:side, 0:side]
    wave = np.cos(np.pi * (x * x + y * y) / (2 * side))
    return np.repeat(np.floor(128 + 127 * wave)[..., None], 3, axis=2).astype(np.uint8)


def main():
    print(f"OpenCV {cv2.__version__}, Pillow {Image.__version__}, libvips {pyvips.version(0)}.{pyvips.version(1)}")
    print(f"{'ms, one thread':<34}{'imgtool':>10}{'OpenCV':>10}{'Pillow':>10}{'vips':>10}")
    time_row("RGB, 1/4, Lanczos3 (OpenCV: area)", 4000, 3000, 3, (1000, 750), "lanczos3", cv2.INTER_AREA)
    time_row("RGB, 1/2, bicubic", 4000, 3000, 3, (2000, 1500), "bicubic", cv2.INTER_CUBIC)
    time_row("RGB, by 2, Lanczos3 (OpenCV: 4)", 4000, 3000, 3, (8000, 6000), "lanczos3", cv2.INTER_LANCZOS4)
    time_row("RGB, 4928x3279 to 852x567", 4928, 3279, 3, (852, 567), "lanczos3", cv2.INTER_AREA)
    time_row("RGBA, 4928x3279 to 852x567", 4928, 3279, 4, (852, 567), "lanczos3", cv2.INTER_AREA)
    programs = f"{'imgtool':>10}{'Pillow':>10}{'vips':>10}{'rounding':>10}"
    print(f"\n{'PSNR in dB, 1 - SSIM, Lanczos3':<34}" + programs * 2)
    with tempfile.TemporaryDirectory() as directory:
        sources = [("zone plate", zone_plate(1000))]
        if len(sys.argv) > 3:
            sources.append(("photo", cv2.imread(sys.argv[3], cv2.IMREAD_COLOR)[:1500, :2000, ::-1].copy()))
        for name, pixels in sources:
            height, width = pixels.shape[:2]
            for share in (0.172, 0.25, 0.5, 0.77, 1.6, 2):
                size = (round(width * share), round(height * share))
                quality_row(f"{name}, by {share}", pixels, size, directory)


main()
