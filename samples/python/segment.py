"""segment.py PICTURES MASKS [EPOCHS]: learns to label pixels from PICTURES/*.png and masks of the same names.

A mask is a PNG whose palette index, or gray value, is the class of the pixel. Picture and mask get the same random
crop and flip. Uses PyTorch and a GPU if they are there; otherwise NumPy and the mean colour of each class."""

import os
import sys

import imgtool
import numpy

try:
    import torch
except ImportError:
    torch = None

HAS_GPU = torch is not None and torch.cuda.is_available()


def train_with_torch(loader, classes, epochs):
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(32, classes, 1))
    model.to("cuda" if HAS_GPU else "cpu")
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(epochs):
        right = []
        for pictures, masks in loader:
            masks = torch.from_dlpack(masks)[:, 0].long()
            answers = model(torch.from_dlpack(pictures))
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(answers, masks).backward()
            optimizer.step()
            right.append(float((answers.argmax(1) == masks).float().mean()))
    return sum(right) / len(right)


def train_with_numpy(loader, classes, epochs):
    sums, counts, right = numpy.zeros((classes, 3)), numpy.ones(classes), []
    for _ in range(epochs):
        right = []
        for pictures, masks in loader:
            colors = numpy.asarray(pictures).transpose(0, 2, 3, 1).reshape(-1, 3)
            masks = numpy.asarray(masks).ravel()
            means = sums / counts[:, None]
            answers = ((colors[:, None] - means) ** 2).sum(2).argmin(1)
            right.append((answers == masks).mean())
            counts += numpy.bincount(masks, minlength=classes)
            for channel in range(3):
                sums[:, channel] += numpy.bincount(masks, colors[:, channel], classes)
    return sum(right) / len(right)


names = sorted(name for name in os.listdir(sys.argv[2]) if name.endswith(".png"))
pictures, masks = ([os.path.join(directory, name) for name in names] for directory in sys.argv[1:3])
classes = 1 + max(numpy.asarray(imgtool.read_batch([mask], color="palette")).max() for mask in masks)
options = {"dtype": "float32", "mean": 0.5, "std": 0.25, "random_crop": (32, 32), "random_flip": True, "shuffle": 1}
with imgtool.Loader(pictures, 8, masks=masks, device="cuda" if HAS_GPU else None, **options) as loader:
    train = train_with_torch if torch else train_with_numpy
    right = train(loader, int(classes), int(sys.argv[3]) if len(sys.argv) > 3 else 5)
print(f"{len(names)} pictures, {classes} classes: {right:.1%} right")
