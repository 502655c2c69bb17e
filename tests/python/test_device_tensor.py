"""Batches on a GPU: the numbers must equal those in host memory. PyTorch and CuPy take them if they are installed."""

import os
import sys
import unittest

import support
from support import imgtool, make_pixels, numpy, sample

try:
    imgtool.devices()
except imgtool.UnavailableError as error:
    print(f"skipped: no GPU: {error}")
    sys.exit(77)

# The emulator of a GPU is slow, so it gets fewer and smaller files.
IS_EMULATED = imgtool.devices()[0]["name"].startswith("emulator")
COUNT, BATCH = (10, 3) if IS_EMULATED else (70, 16)
BYTES_MOST = 1200 if IS_EMULATED else 1 << 30

FORMS = [
    {"dtype": "uint8"},
    {"dtype": "uint16", "layout": "nhwc"},
    {"dtype": "float16", "mean": 0.5, "std": 0.25},
    {"dtype": "bfloat16", "color": "rgba"},
    {"dtype": "float32", "mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225), "color": "rgb"},
]
STEPS = "resize 65x43 fit=fill"


def host(tensor):
    return numpy.asarray(tensor.to_host())


class Files(support.InDirectory):
    def setUp(self):
        super().setUp()
        self.paths = []
        for i in range(COUNT):
            self.paths.append(self.path(f"{i}.png"))
            imgtool.write(self.paths[-1], make_pixels((61 + i % 7, 83 + i % 5, 3), seed=i))


class Batches(Files):
    def test_numbers_equal_those_of_the_cpu(self):
        names = sorted(name for name in os.listdir(support.SAMPLES) if name.endswith(".png"))
        names = [name for name in names if os.path.getsize(sample(name)) < BYTES_MOST]
        sources = [sample(name) for name in names] + self.paths
        for form in FORMS:
            options = {"steps": STEPS, "errors": "zeros", "color": "rgb", **form}
            expected = imgtool.read_batch(sources, **options)
            got = imgtool.read_batch(sources, device="cuda", **options)
            self.assertEqual((got.shape, got.dtype, got.device), (expected.shape, expected.dtype, 0))
            self.assertTrue((host(got) == numpy.asarray(expected)).all(), form)
            self.assertEqual([str(error) for error in got.errors], [str(error) for error in expected.errors])

    def test_masks(self):
        sources = [sample(name) for name in ("palette-8.png", "palette-4.png", "gray-8.png", "rgb-8.png")]
        options = {"steps": STEPS + " filter=nearest", "errors": "zeros", "color": "palette"}
        expected = imgtool.read_batch(sources, **options)
        got = imgtool.read_batch(sources, device="cuda", **options)
        self.assertTrue((host(got) == numpy.asarray(expected)).all())
        self.assertIsInstance(got.errors[3], imgtool.UnsupportedError)

    def test_damaged_files(self):
        with open(self.paths[3], "r+b") as file:
            file.seek(-30, os.SEEK_END)
            file.write(b"\0\0")
        sources = [*self.paths[:5], self.path("none.png"), b""]
        expected = imgtool.read_batch(sources, steps=STEPS, errors="zeros")
        got = imgtool.read_batch(sources, steps=STEPS, errors="zeros", device="cuda")
        self.assertTrue((host(got) == numpy.asarray(expected)).all())
        self.assertEqual([str(error) for error in got.errors], [str(error) for error in expected.errors])
        self.assertRaises(imgtool.FormatError, imgtool.read_batch, sources, steps=STEPS, device="cuda")

    def test_one_file(self):
        for name in ("rgb-8.png", "gray-16.png", "rgba-8.png", "interlaced-rgb-8.png", "palette-8.png"):
            expected = imgtool.read(sample(name))
            got = imgtool.read(sample(name), device="cuda")
            self.assertEqual(got.device, 0)
            if got.color == expected.color and got.shape == expected.shape:
                self.assertTrue((numpy.asarray(got.to_host()) == numpy.asarray(expected)).all(), name)
        self.assertRaises(imgtool.MissingFileError, imgtool.read, self.path("none.png"), device="cuda")
        self.assertRaises(imgtool.UsageError, imgtool.read, self.paths[0], device="cuda", color="rgb")

    def test_a_loader_gives_the_same_batches(self):
        options = {
            "batch_size": BATCH,
            "steps": "resize 90x70 fit=fill",
            "random_crop": (48, 64),
            "random_flip": True,
            "shuffle": 3,
            "dtype": "float32",
            "mean": 0.5,
            "std": 0.2,
        }
        here, there = imgtool.Loader(self.paths, **options), imgtool.Loader(self.paths, device="cuda", **options)
        for _ in range(3):
            count = 0
            for expected, got in zip(here, there):
                self.assertEqual(expected.indices, got.indices)
                self.assertTrue((host(got.data) == numpy.asarray(expected.data)).all())
                count += 1
            self.assertEqual(count, len(here))

    def test_batches_keep_their_memory(self):
        loader = imgtool.Loader(self.paths, BATCH, steps=STEPS, device="cuda")
        kept = [batch.data for batch in loader]
        for number, tensor in enumerate(kept):
            expected = imgtool.read_batch(self.paths[BATCH * number : BATCH * (number + 1)], steps=STEPS)
            self.assertTrue((host(tensor) == numpy.asarray(expected)).all())

    def test_writing(self):
        expected = imgtool.read_batch(self.paths[:BATCH], steps=STEPS, dtype="float32", mean=0.5, std=0.25)
        there = imgtool.read_batch(self.paths[:BATCH], steps=STEPS, dtype="float32", mean=0.5, std=0.25, device="cuda")
        self.assertEqual(imgtool.write_batch(there), imgtool.write_batch(expected))

    def test_early_ends(self):
        for _ in range(2 if IS_EMULATED else 5):
            for batch in imgtool.Loader(self.paths, BATCH, steps=STEPS, device="cuda", prefetch=3):
                break
        self.assertEqual(host(batch.data).shape, (BATCH, 3, 43, 65))

    @unittest.skipIf(IS_EMULATED, "takes long in the emulator")
    def test_memory_is_released(self):
        """Makes more tensors, one after another, than fit into the GPU's memory together."""
        source = imgtool.encode(make_pixels((2000, 2000, 3)))
        tensor = imgtool.read_batch([source] * 16, dtype="float32", device="cuda")
        size = 16 * 3 * 2000 * 2000 * 4
        for _ in range(imgtool.devices()[0]["memory_bytes"] // size + 1):
            tensor = imgtool.read_batch(
                [b""] * 16, size=(2000, 2000), color="rgb", dtype="float32", device="cuda", errors="zeros"
            )
        self.assertFalse(host(tensor).any())


class Others(Files):
    """Tensors of imgtool as those of other packages, and their memory for tensors of imgtool."""

    def check(self, take, download, empty):
        expected = numpy.asarray(imgtool.read_batch(self.paths, steps=STEPS, dtype="float32"))
        got = imgtool.read_batch(self.paths, steps=STEPS, dtype="float32", device="cuda")
        self.assertTrue((download(take(got)) == expected).all())
        out = empty(expected.shape)
        imgtool.read_batch(self.paths, steps=STEPS, dtype="float32", device="cuda", out=out)
        self.assertTrue((download(out) == expected).all())
        options = {"steps": STEPS, "dtype": "float32", "device": "cuda"}
        loader = imgtool.Loader(self.paths, 7, allocate=lambda shape, _: empty(shape), **options)
        for number, batch in enumerate(loader):
            self.assertTrue((download(batch.data) == expected[7 * number : 7 * number + 7]).all())

    def test_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no PyTorch")
        self.check(
            torch.from_dlpack, lambda tensor: tensor.cpu().numpy(), lambda shape: torch.empty(shape, device="cuda")
        )
        stream = torch.cuda.Stream()
        expected = torch.from_numpy(numpy.asarray(imgtool.read_batch(self.paths, steps=STEPS, dtype="float32")))
        with torch.cuda.stream(stream):
            loader = imgtool.Loader(
                self.paths, 7, steps=STEPS, dtype="float32", device="cuda", stream=stream.cuda_stream
            )
            sums = []
            for _ in range(10):
                for batch in loader:
                    torch.cuda._sleep(1_000_000)  # clocks: the caller's work is late
                    sums.append((batch.indices, torch.from_dlpack(batch.data).double().sum(dim=(1, 2, 3))))
                    del batch
            for indices, got in sums:
                self.assertTrue(torch.equal(got.cpu(), expected[indices].double().sum(dim=(1, 2, 3))))

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no CuPy")
        self.check(cupy.from_dlpack, cupy.asnumpy, lambda shape: cupy.empty(shape, "float32"))
        self.check(cupy.asarray, cupy.asnumpy, lambda shape: cupy.empty(shape, "float32"))


if __name__ == "__main__":
    unittest.main()
