"""Pixels on a GPU: results must equal those on the CPU. If PyTorch and CuPy are installed, pixels are shared with
them."""

import sys
import unittest

import support
from support import imgtool, make_pixels, numpy, sample

try:
    imgtool.devices()
except imgtool.UnavailableError as error:
    print(f"skipped: no GPU: {error}")
    sys.exit(77)

STEPS = [
    "rotate",
    "rotate | flip | invert",
    "resize 50% | sharpen amount=0.5",
    "blur sigma=2 | gamma value=1.4",
    "equalize | clahe",
    "pad left=3 top=5 background=red",
    "crop x=1 y=2 width=31 height=17",
    "depth bits=16 | boxblur radius=3",
]
SHAPES = [(1, 1), (47, 61), (47, 61, 3), (47, 64, 4), (333, 641, 3), (64, 48, 2)]


def both(steps, pixels):
    """Returns the result on the CPU, and the result of an Array on the GPU."""
    return (
        numpy.asarray(imgtool.run(steps, pixels, backend="cpu")),
        imgtool.run(steps, imgtool.to_device(pixels)),
    )


class Own(unittest.TestCase):
    def test_copies_there_and_back_are_equal(self):
        for shape in SHAPES:
            for dtype in ("uint8", "uint16"):
                pixels = make_pixels(shape, dtype)
                there = imgtool.to_device(pixels)
                self.assertEqual((there.device, there.shape), (0, pixels.shape))
                self.assertTrue((numpy.asarray(there.to_host()) == pixels).all())
                view = imgtool.to_device(pixels[::-1, ::-1]).to_host()
                self.assertTrue((numpy.asarray(view) == pixels[::-1, ::-1]).all())

    def test_results_equal_those_of_the_cpu(self):
        applied = 0
        for shape in SHAPES:
            for dtype in ("uint8", "uint16"):
                pixels = make_pixels(shape, dtype)
                for steps in STEPS:
                    try:
                        expected, got = both(steps, pixels)
                    except imgtool.Error:
                        with self.assertRaises(imgtool.Error):
                            imgtool.run(steps, pixels, backend="cpu")
                        continue
                    self.assertEqual(got.device, 0)
                    same = numpy.asarray(got.to_host()) == expected
                    self.assertTrue(same.all(), (steps, shape, dtype))
                    applied += 1
        self.assertGreater(applied, 60)

    def test_host_pixels_can_be_processed_on_the_gpu(self):
        pixels = make_pixels((333, 641, 3))
        expected = numpy.asarray(imgtool.run("blur sigma=2", pixels, backend="cpu"))
        got = imgtool.run("blur sigma=2", pixels, backend="cuda")
        self.assertIsNone(got.device)
        self.assertTrue((numpy.asarray(got) == expected).all())

    def test_device_memory_cannot_be_read_as_host_memory(self):
        there = imgtool.to_device(imgtool.read(sample("rgb-8.png")))
        self.assertRaises(BufferError, memoryview, there)
        self.assertFalse(hasattr(there, "__array_interface__"))
        self.assertEqual(there.__dlpack_device__(), (2, 0))
        self.assertRaises(imgtool.UsageError, imgtool.encode, there)
        self.assertRaises(imgtool.UsageError, imgtool.run, "flip", there, backend="cpu")
        self.assertRaises(imgtool.UnsupportedError, imgtool.run, "trim", there)

    def test_memory_is_released(self):
        """Makes more results, one after another, than fit into the GPU's memory together."""
        side = 16000
        there = imgtool.to_device(numpy.zeros((side, side, 4), "uint8"))
        room = imgtool.devices()[0]["memory_bytes"]
        for _ in range(room // (side * side * 4) + 1):
            imgtool.run("flip", there)


class Others(unittest.TestCase):
    """Arrays of other packages on the GPU, in both directions."""

    def check(self, upload, download, take):
        for shape in SHAPES:
            pixels = make_pixels(shape)
            expected = numpy.asarray(imgtool.run("flip | invert", pixels, backend="cpu"))
            result = imgtool.run("flip | invert", upload(pixels))
            self.assertEqual(result.device, 0)
            self.assertTrue((download(take(result)) == expected).all(), shape)
        # a view of rows with an alignment that kernels do not support
        wide = upload(make_pixels((50, 80, 3)))
        part = wide[3:40, 5:66]
        expected = numpy.asarray(
            imgtool.run("blur sigma=1", numpy.ascontiguousarray(download(part)), backend="cpu")
        )
        got = take(imgtool.run("blur sigma=1", part))
        self.assertTrue((download(got) == expected).all())
        self.assertRaises(imgtool.UnsupportedError, imgtool.run, "flip", wide[:, ::2])

    def check_stream_of_owner(self, torch, stream):
        """Checks pixels that have only CUDA's array interface, while another stream still writes them."""
        device = torch.cuda.device_count() - 1
        owner = torch.cuda.Stream(device)
        with torch.cuda.stream(owner):
            tensor = torch.zeros((65, 129, 3), dtype=torch.uint8, device=owner.device)
            torch.cuda._sleep(300_000_000)  # clocks
            tensor += 7
        interface = dict(tensor.__cuda_array_interface__, stream=owner.cuda_stream)
        bare = type("Bare", (), {"__cuda_array_interface__": interface})()
        own = stream if device == 0 else torch.cuda.Stream(device)
        result = imgtool.run("invert", bare, stream=own.cuda_stream, device=device)
        self.assertTrue((torch.from_dlpack(result) == 248).all().item())

    def test_pytorch_shares_memory(self):
        try:
            import torch
        except ImportError:
            self.skipTest("no PyTorch")
        self.check(
            lambda pixels: torch.from_numpy(pixels).cuda(),
            lambda tensor: tensor.cpu().numpy(),
            torch.from_dlpack,
        )
        stream = torch.cuda.Stream()
        pixels = make_pixels((333, 641, 3))
        with torch.cuda.stream(stream):
            tensor = torch.from_numpy(pixels).cuda(non_blocking=True) + 1
            result = imgtool.run("invert", tensor, stream=stream.cuda_stream)
            got = torch.from_dlpack(result).cpu().numpy()
        self.assertTrue((got == 255 - (pixels + 1)).all())
        self.check_stream_of_owner(torch, stream)
        host = torch.from_numpy(pixels)
        self.assertEqual(imgtool.encode(host), imgtool.encode(pixels))

    def test_cupy_shares_memory(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no CuPy")
        self.check(cupy.asarray, cupy.asnumpy, cupy.from_dlpack)
        self.check(cupy.asarray, cupy.asnumpy, cupy.asarray)  # __cuda_array_interface__

    def test_the_cuda_array_interface_works(self):
        class Foreign:
            def __init__(self, array):
                self.array = array
                self.__cuda_array_interface__ = array.__cuda_array_interface__

        pixels = make_pixels((47, 61, 3))
        result = imgtool.run("flip", Foreign(imgtool.to_device(pixels)))
        expected = numpy.asarray(imgtool.run("flip", pixels, backend="cpu"))
        self.assertTrue((numpy.asarray(result.to_host()) == expected).all())


if __name__ == "__main__":
    unittest.main()
