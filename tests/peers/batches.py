#!/usr/bin/env python3
"""Times reading PNG files into batches of float32 3 x 224 x 224, as training does: imgtool, torchvision and Pillow.

batches.py DIRECTORY [BATCH [WORKERS [EPOCHS]]]

Reads all *.png of the directory, as often as 16 batches need, in batches of BATCH (256), with WORKERS (16) threads or processes, resized with the
bilinear filter, with mean and deviation, and prints pictures per second: the median of EPOCHS (5) after one that is not
counted. Batches end in the memory of the GPU if there is one. torchvision decodes in threads, and resizes each picture
on the CPU, or on the GPU after a copy. Pillow decodes and resizes in the processes of a DataLoader. What is not
installed is left out. The last column is the largest difference from imgtool's numbers on the CPU in the first batch,
in units of one 8-bit step: filters round differently, but a larger difference means other pictures."""
import concurrent.futures
import glob
import os
import statistics
import sys
import time

import imgtool
import numpy

try:
    import torch
    import torchvision
    from torchvision.transforms import functional
except ImportError:
    torch = None
try:
    from PIL import Image
except ImportError:
    Image = None

FILES = sorted(glob.glob(os.path.join(sys.argv[1], "*.png")))
BATCH, WORKERS, EPOCHS = [int(text) for text in sys.argv[2:5]] + [256, 16, 5][len(sys.argv) - 2 :]
PATHS = FILES * max(1, -(-16 * BATCH // len(FILES)))
SIDE, MEAN, STD = 224, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
HAS_GPU = torch is not None and torch.cuda.is_available()
STEPS = f"resize {SIDE}x{SIDE} fit=fill filter=bilinear"


def ours(device):
    loader = imgtool.Loader(PATHS, BATCH, steps=STEPS, dtype="float32", mean=MEAN, std=STD, device=device,
                            threads=WORKERS, prefetch=3)
    for batch in loader:
        yield batch.data if torch is None else torch.from_dlpack(batch.data)


def groups():
    return [PATHS[i : i + BATCH] for i in range(0, len(PATHS), BATCH)]


def torch_decode(path, device=None):
    picture = torchvision.io.decode_png(torchvision.io.read_file(path), torchvision.io.ImageReadMode.RGB)
    picture = picture.to(device) if device else picture
    return functional.resize(picture, [SIDE, SIDE], antialias=True)


def torch_batches(device):
    """Decodes in threads. Resizes on `device`; None: the CPU."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for group in groups():
            pictures = torch.stack(list(pool.map(lambda path: torch_decode(path, device), group)))
            if HAS_GPU:
                pictures = pictures.cuda()
            yield functional.normalize(pictures.float() / 255, MEAN, STD)


class PillowFiles:
    """A dataset of PyTorch."""

    def __len__(self):
        return len(PATHS)

    def __getitem__(self, index):
        with Image.open(PATHS[index]) as picture:
            small = picture.convert("RGB").resize((SIDE, SIDE), Image.BILINEAR)
        return torch.from_numpy(numpy.array(small)).permute(2, 0, 1)


def pillow_batches():
    loader = torch.utils.data.DataLoader(PillowFiles(), BATCH, num_workers=WORKERS, prefetch_factor=2,
                                         pin_memory=HAS_GPU)
    for pictures in loader:
        pictures = pictures.cuda(non_blocking=True) if HAS_GPU else pictures
        yield functional.normalize(pictures.float() / 255, MEAN, STD)


def to_numpy(batch):
    return batch.cpu().numpy() if torch is not None and isinstance(batch, torch.Tensor) else numpy.asarray(batch)


def measure(name, make, expected):
    """Prints a row, and returns the first batch."""
    first, rates = None, []
    for epoch in range(EPOCHS + 1):
        start, count = time.perf_counter(), 0
        for batch in make():
            if first is None:
                first = to_numpy(batch)
            count += len(batch)
        if HAS_GPU:
            torch.cuda.synchronize()
        if epoch > 0:
            rates.append(count / (time.perf_counter() - start))
    steps = numpy.abs(first - expected).max() * max(STD) * 255 if expected is not None else 0
    print(f"{name:<44}{statistics.median(rates):>10.0f}{steps:>8.2f}", flush=True)
    return first


print(f"{len(FILES)} files, batches of {BATCH}, {WORKERS} workers{'':>12}pictures/s  steps")
wanted = measure("imgtool, CPU", lambda: ours(None), None)
if HAS_GPU:
    measure("imgtool, GPU", lambda: ours("cuda"), wanted)
if torch is not None:
    measure("torchvision, threads", lambda: torch_batches(None), wanted)
    if HAS_GPU:
        measure("torchvision, threads, resized on the GPU", lambda: torch_batches("cuda"), wanted)
if torch is not None and Image is not None:
    measure("Pillow, DataLoader with processes", pillow_batches, wanted)
