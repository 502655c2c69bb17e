"""similar.py FILE...: prints the two pictures that are most alike.

The pictures are decoded to a GPU and stay there for CuPy, which computes with the same memory. Without CuPy, NumPy
does the same in host memory. Files that cannot be read are reported and left out."""

import sys

import imgtool
import numpy

try:
    import cupy

    imgtool.devices()  # raises UnavailableError without a GPU
    array_module, device = cupy, "cuda"
except (ImportError, imgtool.UnavailableError):
    array_module, device = numpy, None


def describe(paths):
    """Returns a vector of length 1 for each picture: its colours in 8 x 8 areas, less their mean."""
    batch = imgtool.read_batch(
        paths,
        steps="autorotate | resize 8x8 fit=fill",
        dtype="float32",
        color="rgb",
        device=device,
        errors="zeros",
    )
    for path, error in zip(paths, batch.errors):
        if error is not None:
            print(f"{path}: {error.problem}", file=sys.stderr)
    vectors = array_module.from_dlpack(batch).reshape(len(paths), -1)
    vectors = vectors - vectors.mean(axis=1, keepdims=True)
    vectors /= array_module.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    good = [i for i, error in enumerate(batch.errors) if error is None]
    return [paths[i] for i in good], vectors[good]


paths, vectors = describe(sys.argv[1:])
if len(paths) < 2:
    sys.exit("similar.py: at least two pictures are needed")
likeness = vectors @ vectors.T
array_module.fill_diagonal(likeness, -2)
first, second = divmod(int(likeness.argmax()), len(paths))
print(f"{paths[first]} and {paths[second]}: {float(likeness[first, second]):.3f}")
