"""classify.py DIRECTORY [EPOCHS]: trains a classifier on DIRECTORY/CLASS/*.png, and prints its accuracy.

Uses PyTorch and a GPU if they are there; otherwise NumPy and one linear layer."""

import glob
import os
import sys

import imgtool
import numpy

try:
    import torch
except ImportError:
    torch = None

SIZE = 64
HAS_GPU = torch is not None and torch.cuda.is_available()


def train_with_torch(loader, classes, epochs):
    layers = [torch.nn.Conv2d(3, 16, 5, 2), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(4), torch.nn.Flatten()]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(256, classes)).to("cuda" if HAS_GPU else "cpu")
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    for _ in range(epochs):
        right = count = 0
        for pictures, labels in loader:
            pictures = torch.from_dlpack(pictures)  # the same memory
            answers, labels = model(pictures), torch.as_tensor(labels, device=pictures.device)
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(answers, labels).backward()
            optimizer.step()
            right, count = right + int((answers.argmax(1) == labels).sum()), count + len(labels)
    return right / count


def train_with_numpy(loader, classes, epochs):
    weights = numpy.zeros((3 * SIZE * SIZE, classes), "float32")
    for _ in range(epochs):
        right = count = 0
        for pictures, labels in loader:
            inputs = numpy.asarray(pictures).reshape(len(labels), -1)
            answers = inputs @ weights
            odds = numpy.exp(answers - answers.max(1, keepdims=True))
            errors = odds / odds.sum(1, keepdims=True) - numpy.eye(classes, dtype="float32")[labels]
            weights -= 1e-4 / len(labels) * inputs.T @ errors
            right += int((answers.argmax(1) == labels).sum())
            count += len(labels)
    return right / count


paths = sorted(glob.glob(os.path.join(glob.escape(sys.argv[1]), "*", "*.png")))
names, labels = numpy.unique([os.path.basename(os.path.dirname(path)) for path in paths], return_inverse=True)
options = {"dtype": "float32", "mean": 0.5, "std": 0.25, "shuffle": 1, "on_error": "skip"}
options.update(steps=f"autorotate | resize {SIZE + 8}x{SIZE + 8} fit=cover", random_crop=(SIZE, SIZE))
options.update(random_flip=True, device="cuda" if HAS_GPU else None)
train = train_with_torch if torch else train_with_numpy
with imgtool.Loader(paths, 32, labels=labels, **options) as loader:
    right = train(loader, len(names), int(sys.argv[2]) if len(sys.argv) > 2 else 5)
print(f"{len(paths)} pictures of {len(names)} classes: {right:.1%} right")
