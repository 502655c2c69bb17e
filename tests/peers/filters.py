#!/usr/bin/env python3
"""Times filters of OpenCV, Pillow and libvips in the same way as `checkkernels --bench --backend cpu --fill photo`
times imgtool: from memory to memory, as the median of several runs, in milliseconds.

filters.py [WIDTH HEIGHT [THREADS]]

Needs the Python packages opencv-python-headless, numpy, pillow and pyvips[binary]; missing ones are left out."""
import os
import statistics
import sys
import time

WIDTH, HEIGHT = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (4001, 3001)
THREADS = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["VIPS_CONCURRENCY"] = str(THREADS)

import numpy as np  # noqa: E402  (after the environment is set)


def median_ms(run, runs):
    run()
    samples = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        samples.append((time.perf_counter() - start) * 1e3)
    return statistics.median(samples)


def show(peer, what, run, runs=5):
    print(f"{peer:<8} {what:<24} {median_ms(run, runs):10.1f} ms", flush=True)


def picture():
    """Returns smooth shapes with a little noise, like a photograph."""
    random = np.random.default_rng(1)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [128 + 100 * np.sin(x / (90 + 40 * c)) * np.cos(y / (70 + 30 * c)) for c in range(3)]
    noise = random.normal(0, 4, (HEIGHT, WIDTH, 3))
    return np.clip(np.stack(planes, axis=2) + noise, 0, 255).astype(np.uint8)


def opencv(rgb):
    import cv2

    cv2.setNumThreads(THREADS)
    gray = cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY)
    table = np.arange(256, dtype=np.uint8)[::-1].copy()

    def sobel():
        across, down = cv2.Sobel(gray, cv2.CV_16S, 1, 0), cv2.Sobel(gray, cv2.CV_16S, 0, 1)
        return cv2.convertScaleAbs(cv2.magnitude(across.astype(np.float32), down.astype(np.float32)))

    def unsharp():
        return cv2.addWeighted(rgb, 2, cv2.GaussianBlur(rgb, (0, 0), 1), -1, 0)

    print(f"OpenCV {cv2.__version__}, {cv2.getNumThreads()} threads")
    for sigma in (2, 20):
        show("OpenCV", f"blur sigma={sigma}", lambda s=sigma: cv2.GaussianBlur(rgb, (0, 0), s))
    show("OpenCV", "boxblur radius=10", lambda: cv2.blur(rgb, (21, 21)))
    for radius in (1, 3, 10):
        show("OpenCV", f"median radius={radius}", lambda r=radius: cv2.medianBlur(rgb, 2 * r + 1), 3)
    show("OpenCV", "bilateral 9 x 9", lambda: cv2.bilateralFilter(rgb, 9, 25, 3), 3)
    for side in (3, 31):
        show("OpenCV", f"erode size={side}", lambda s=side: cv2.erode(rgb, np.ones((s, s), np.uint8)))
    show("OpenCV", "sobel of gray", sobel)
    show("OpenCV", "sobel, one derivative", lambda: cv2.Sobel(gray, cv2.CV_16S, 1, 0))
    show("OpenCV", "sharpen sigma=1", unsharp)
    show("OpenCV", "gamma by table", lambda: cv2.LUT(rgb, table))
    show("OpenCV", "grayscale", lambda: cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))


def pillow(rgb):
    import PIL
    from PIL import Image, ImageFilter

    image = Image.fromarray(rgb)
    table = list(range(256))[::-1] * 3
    print(f"Pillow {PIL.__version__}, one thread")
    for sigma in (2, 20):
        show("Pillow", f"blur sigma={sigma}", lambda s=sigma: image.filter(ImageFilter.GaussianBlur(s)), 3)
    show("Pillow", "boxblur radius=10", lambda: image.filter(ImageFilter.BoxBlur(10)), 3)
    show("Pillow", "median radius=1", lambda: image.filter(ImageFilter.MedianFilter(3)), 1)
    show("Pillow", "erode size=3", lambda: image.filter(ImageFilter.MinFilter(3)), 1)
    show("Pillow", "sharpen sigma=1", lambda: image.filter(ImageFilter.UnsharpMask(1, 100, 0)), 3)
    show("Pillow", "gamma by table", lambda: image.point(table))
    show("Pillow", "grayscale", lambda: image.convert("L"))


def vips(rgb):
    import pyvips

    image = pyvips.Image.new_from_array(rgb).copy(interpretation="srgb").copy_memory()
    gray = image.colourspace("b-w").copy_memory()
    table = pyvips.Image.identity().invert()
    ones = pyvips.Image.new_from_array([[255] * 3] * 3)
    print(f"libvips {pyvips.version(0)}.{pyvips.version(1)}, {THREADS} threads")
    for sigma in (2, 20):
        show("vips", f"blur sigma={sigma}", lambda s=sigma: image.gaussblur(s).copy_memory())
    show("vips", "median radius=1", lambda: image.median(3).copy_memory(), 1)
    show("vips", "erode size=3", lambda: image.erode(ones).copy_memory(), 3)
    show("vips", "sobel of gray", lambda: gray.sobel().copy_memory())
    show("vips", "sharpen sigma=1", lambda: image.sharpen(sigma=1).copy_memory(), 3)
    show("vips", "gamma by table", lambda: image.maplut(table).copy_memory())
    show("vips", "grayscale", lambda: image.colourspace("b-w").copy_memory())


def main():
    rgb = picture()
    for peer in (opencv, pillow, vips):
        try:
            peer(rgb)
        except ImportError as missing:
            print(f"{peer.__name__}: skipped: {missing}")


if __name__ == "__main__":
    main()
