"""vips_case.py CASE INPUT OUTPUT: runs one case of measure.sh with libvips. libvips streams rows if the operation
allows it ("sequential"), and otherwise uses temporary files. Without arguments this program prints the version of
libvips; with --cases it prints the names of its cases.

PNG files are written with zlib's level 1 and the filter Sub. This was the fastest choice that still compresses.
"""
import sys

import pyvips

QUICK = {"compression": 1, "filter": "sub"}


def opened(path, access):
    return pyvips.Image.new_from_file(path, access=access)


def quarter(image):
    """Returns the rectangle of half the width and height to which imgtool crops in measure.sh."""
    return image.crop(image.width // 4, image.height // 4, image.width // 2, image.height // 2)


def equalized(path):
    """Equalises each channel. Decodes the file twice, which takes less time and space than a temporary file."""
    table = opened(path, "sequential").hist_find().hist_cum().hist_norm()
    return opened(path, "sequential").maplut(table)


# Operations that read rows in order. All others access pixels in any order.
SEQUENTIAL = {
    "flip-horizontal": lambda image: image.fliphor(),
    "crop": quarter,
    "resize-1": lambda image: image.resize(0.01),
    "resize-50": lambda image: image.resize(0.5),
    "blur-2": lambda image: image.gaussblur(2),
    "blur-20": lambda image: image.gaussblur(20),
    "median": lambda image: image.median(3),
    "sharpen": lambda image: image.sharpen(),
    "three-filters": lambda image: image.gaussblur(2).sharpen().median(3),
}
RANDOM = {
    "rotate-90": lambda image: image.rot90(),
    "rotate-7.5": lambda image: image.rotate(7.5, interpolate=pyvips.Interpolate.new("bicubic")),
    "flip-vertical": lambda image: image.flipver(),
}


def run(case, source, target):
    if case in SEQUENTIAL:
        SEQUENTIAL[case](opened(source, "sequential")).pngsave(target, **QUICK)
    elif case in RANDOM:
        RANDOM[case](opened(source, "random")).pngsave(target, **QUICK)
    elif case == "equalize":
        equalized(source).pngsave(target, **QUICK)
    elif case == "stats":
        print(opened(source, "sequential").stats().tolist())
    elif case == "tiles":
        opened(source, "sequential").dzsave(target, suffix=".png[compression=1,filter=sub]")
    else:
        sys.exit(f"libvips has no {case}")


if len(sys.argv) == 4:
    run(*sys.argv[1:])
elif sys.argv[1:] == ["--cases"]:
    print(*SEQUENTIAL, *RANDOM, "equalize", "stats", "tiles")
else:
    print(".".join(str(pyvips.version(part)) for part in range(3)))
