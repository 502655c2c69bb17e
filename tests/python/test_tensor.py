"""read_batch and Tensor: compared with read and run of single pictures, and with NumPy's arithmetic."""

import gc
import os
import struct
import threading
import unittest
import zlib

import support
from support import imgtool, make_pixels, numpy, sample

STEPS = "resize 24x16 fit=fill"


def one_by_one(names, steps, color):
    """Returns the pictures as the other functions make them: (count, height, width, channels) of uint8."""
    made = []
    for name in names:
        picture = imgtool.read(sample(name))
        picture = imgtool.run(steps, picture)
        made.append(numpy.asarray(imgtool.convert(picture, color=color, dtype="uint8")))
    return numpy.stack(made)


def palette_png(width, rows, depth=8):
    """Returns a PNG of palette indices, written byte by byte."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, len(rows), depth, 3, 0, 0, 0)
    palette = bytes(range(30, 30 + 3 * 16))
    data = b"".join(b"\0" + bytes(row) for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"PLTE", palette)
        + chunk(b"IDAT", zlib.compress(data))
        + chunk(b"IEND", b"")
    )


class Values(unittest.TestCase):
    def test_a_batch_equals_single_pictures(self):
        names = ["rgb-8.png", "interlaced-rgb-8.png", "palette-8.png"]
        expected = one_by_one(names, STEPS, "rgb")
        paths = [sample(name) for name in names]
        got = numpy.asarray(imgtool.read_batch(paths, steps=STEPS, layout="nhwc"))
        self.assertTrue((got == expected).all())
        got = numpy.asarray(imgtool.read_batch(paths, steps=STEPS))
        self.assertTrue((got == expected.transpose(0, 3, 1, 2)).all())

    def test_floats_are_normalised(self):
        paths = [sample("rgb-8.png"), sample("size-33x31.png")]
        bytes_ = numpy.asarray(imgtool.read_batch(paths, steps=STEPS)).astype("float32") / numpy.float32(255)
        mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
        expected = (bytes_ - numpy.float32(mean)[:, None, None]) / numpy.float32(std)[:, None, None]
        got = imgtool.read_batch(paths, steps=STEPS, dtype="float32", mean=mean, std=std)
        self.assertTrue((numpy.asarray(got) == expected).all())
        half = imgtool.read_batch(paths, steps=STEPS, dtype=numpy.float16, mean=mean, std=std)
        self.assertTrue((numpy.asarray(half) == expected.astype("float16")).all())
        same = imgtool.read_batch(paths, steps=STEPS, dtype=numpy.dtype("float32"), mean=0.5, std=0.25)
        self.assertTrue((numpy.asarray(same) == (bytes_ - numpy.float32(0.5)) / numpy.float32(0.25)).all())
        brain = numpy.asarray(imgtool.read_batch(paths, steps=STEPS, dtype="bfloat16"))
        self.assertEqual(brain.dtype, "uint16")
        floats = (brain.astype("uint32") << 16).view("float32")
        self.assertLess(abs(floats - bytes_).max(), 1 / 256)

    def test_16_bits(self):
        picture = make_pixels((9, 7), "uint16")
        got = imgtool.read_batch([imgtool.encode(picture)], dtype="uint16")
        self.assertEqual(got.shape, (1, 1, 9, 7))
        self.assertTrue((numpy.asarray(got)[0, 0] == picture).all())
        got = imgtool.read_batch([imgtool.encode(picture)], dtype="float32")
        self.assertTrue((numpy.asarray(got)[0, 0] == picture.astype("float32") / numpy.float32(65535)).all())

    def test_channels(self):
        gray, alpha = make_pixels((4, 5)), make_pixels((4, 5, 4))
        batch = [imgtool.encode(gray), imgtool.encode(alpha)]
        got = numpy.asarray(imgtool.read_batch(batch, color="rgba", layout="nhwc"))
        self.assertTrue((got[0, :, :, :3] == gray[:, :, None]).all())
        self.assertTrue((got[0, :, :, 3] == 255).all())
        self.assertTrue((got[1] == alpha).all())
        got = numpy.asarray(imgtool.read_batch(batch, color="rgb", layout="nhwc"))
        self.assertTrue((got[1] == alpha[:, :, :3]).all())
        with self.assertRaises(imgtool.UnsupportedError):
            imgtool.read_batch(batch)  # the first is gray
        transparent = numpy.asarray(imgtool.read(sample("trns-rgb-8.png"), color="rgba"))
        got = numpy.asarray(imgtool.read_batch([sample("trns-rgb-8.png")], color="rgba", layout="nhwc"))
        self.assertTrue((got[0] == transparent).all())
        self.assertTrue((transparent[:, :, 3] == 0).any())

    def test_masks(self):
        rows = [[0, 1, 2], [3, 15, 7]]
        mask = palette_png(3, rows)
        got = imgtool.read_batch([mask, imgtool.encode(numpy.uint8(rows))], color="palette")
        self.assertTrue((numpy.asarray(got)[:, 0] == numpy.uint8(rows)).all())
        larger = imgtool.read_batch([mask], color="palette", steps="resize 6x4 fit=fill filter=nearest")
        self.assertTrue((numpy.asarray(larger)[0, 0] == numpy.uint8(rows).repeat(2, 0).repeat(2, 1)).all())
        colours = numpy.asarray(imgtool.read_batch([mask], layout="nhwc"))[0]
        self.assertTrue((colours == numpy.asarray(imgtool.read(mask))).all())
        with self.assertRaises(imgtool.UnsupportedError):
            imgtool.read_batch([sample("rgb-8.png")], color="palette")

    def test_own_steps_of_each_picture(self):
        picture = make_pixels((8, 8, 3))
        file = imgtool.encode(picture)
        steps = ["crop x=1 y=2 width=4 height=3", "crop x=4 y=5 width=4 height=3 | flip axis=horizontal", None]
        small = imgtool.encode(picture[:3, :4])
        got = numpy.asarray(imgtool.read_batch([file, file, small], steps=steps, layout="nhwc"))
        self.assertTrue((got[0] == picture[2:5, 1:5]).all())
        self.assertTrue((got[1] == picture[5:8, 4:8][:, ::-1]).all())
        self.assertTrue((got[2] == picture[:3, :4]).all())
        with self.assertRaises(imgtool.UsageError):
            imgtool.read_batch([file, file], steps=["flip"])
        with self.assertRaises(TypeError):
            imgtool.read_batch([file], steps=[3])

    def test_orientation(self):
        picture = numpy.asarray(imgtool.run("autorotate", imgtool.read(sample("orientation-6.png"))))
        got = imgtool.read_batch([sample("orientation-6.png")], steps="autorotate", layout="nhwc")
        self.assertTrue((numpy.asarray(got)[0].squeeze() == picture).all())


class Sources(support.InDirectory):
    def test_parts_of_a_file(self):
        first, second = imgtool.encode(make_pixels((5, 6, 3))), imgtool.encode(make_pixels((5, 6, 3), seed=2))
        path = self.path("both")
        with open(path, "wb") as file:
            file.write(b"head" + first + second)
        got = imgtool.read_batch([(path, 4, len(first)), (path, 4 + len(first), 0)])
        self.assertTrue((numpy.asarray(got) == numpy.asarray(imgtool.read_batch([first, second]))).all())
        with self.assertRaises(imgtool.FileError):
            imgtool.read_batch([(path, 4, 10**9)])
        with self.assertRaises(imgtool.UsageError):
            imgtool.read_batch([(path, 4)])
        with self.assertRaises(OverflowError):
            imgtool.read_batch([(path, -1, 0)])

    def test_damaged_files_leave_zeros(self):
        good = imgtool.encode(make_pixels((5, 6, 3)))
        damaged = bytearray(good)
        damaged[-20] ^= 1
        sources = [good, self.path("missing.png"), bytes(damaged), good, b"", imgtool.encode(make_pixels((6, 5, 3)))]
        tensor = imgtool.read_batch(sources, errors="zeros")
        got = numpy.asarray(tensor)
        kinds = [type(error) for error in tensor.errors]
        none = type(None)
        self.assertEqual(
            kinds,
            [
                none,
                imgtool.MissingFileError,
                imgtool.FormatError,
                none,
                imgtool.FormatError,
                imgtool.UnsupportedError,
            ],
        )
        self.assertEqual(tensor.errors[1].path, self.path("missing.png"))
        self.assertIsNone(tensor.errors[2].path)
        self.assertTrue((got[0] == got[3]).all() and got[0].any())
        self.assertFalse(got[[1, 2, 4, 5]].any())
        with self.assertRaises(imgtool.MissingFileError) as raised:
            imgtool.read_batch(sources)
        self.assertEqual(raised.exception.filename, self.path("missing.png"))

    def test_limits(self):
        large, small = imgtool.encode(make_pixels((50, 60, 3))), imgtool.encode(make_pixels((5, 6, 3)))
        tensor = imgtool.read_batch([small, large], errors="zeros", max_pixels=100)
        self.assertIsInstance(tensor.errors[1], imgtool.LimitError)
        with self.assertRaises(imgtool.LimitError):
            imgtool.read_batch([large], max_memory=100)


class Exchange(unittest.TestCase):
    def setUp(self):
        self.file = imgtool.encode(make_pixels((5, 6, 3)))

    def test_memory_is_shared_and_kept_alive(self):
        tensor = imgtool.read_batch([self.file, self.file])
        self.assertEqual((len(tensor), tensor.layout, tensor.dtype, tensor.device), (2, "nchw", "uint8", None))
        self.assertIn("2 x 3 x 5 x 6, nchw, uint8", repr(tensor))
        views = [numpy.asarray(tensor), numpy.from_dlpack(tensor), numpy.asarray(memoryview(tensor))]
        del tensor
        gc.collect()
        for view in views:
            self.assertEqual(view.shape, (2, 3, 5, 6))
            self.assertEqual(view.ctypes.data, views[0].ctypes.data)
        self.assertEqual(views[0][0].tobytes(), views[0][1].tobytes())
        self.assertFalse(hasattr(imgtool.read_batch([self.file]), "__cuda_array_interface__"))
        self.assertRaises(TypeError, imgtool.Tensor)

    def test_dlpack_names_the_elements(self):
        for dtype in ("uint8", "uint16", "float16", "float32"):
            tensor = imgtool.read_batch([self.file], dtype=dtype)
            self.assertEqual(numpy.from_dlpack(tensor).dtype, dtype)
            self.assertEqual(tensor.__dlpack_device__(), (1, 0))
        self.assertRaises(BufferError, tensor.__dlpack__, dl_device=(2, 0))
        self.assertRaises(BufferError, tensor.__dlpack__, copy=True)

    def test_memory_of_the_caller(self):
        expected = numpy.asarray(imgtool.read_batch([self.file, self.file], dtype="float32"))
        out = numpy.full((2, 3, 5, 6), 9, "float32")
        tensor = imgtool.read_batch([self.file, self.file], dtype="float32", out=out)
        self.assertTrue((out == expected).all())
        self.assertEqual(numpy.asarray(tensor).ctypes.data, out.ctypes.data)
        larger = numpy.zeros((4, 3, 5, 6), "float32")
        imgtool.read_batch([self.file, self.file], dtype="float32", out=larger[1:3])
        self.assertTrue((larger[1:3] == expected).all() and not larger[[0, 3]].any())

        class ByDlpack:  # as an array of PyTorch, which has no buffer
            shape = out.shape

            def __dlpack__(self, **keywords):
                return out.__dlpack__(**keywords)

            def __dlpack_device__(self):
                return out.__dlpack_device__()

        out[:] = 9
        imgtool.read_batch([self.file, self.file], dtype="float32", out=ByDlpack())
        self.assertTrue((out == expected).all())
        with self.assertRaises(imgtool.UsageError):
            imgtool.read_batch([self.file, self.file], dtype="float16", out=ByDlpack())

    def test_memory_of_the_caller_that_does_not_fit(self):
        def read(out, count=2, **keywords):
            return imgtool.read_batch([self.file] * count, out=out, **keywords)

        good = numpy.zeros((2, 3, 5, 6), "uint8")
        for wrong in (
            good[:1],
            good[:, :, :, ::-1],
            good[:, :, ::2],
            good.astype("uint16"),
            good.transpose(0, 2, 3, 1),
            good[0],
            numpy.zeros((2, 3, 5, 7), "uint8")[:, :, :, :6],
        ):
            with self.assertRaises(imgtool.Error):
                read(wrong)
        read_only = good.copy()
        read_only.flags.writeable = False
        with self.assertRaises((BufferError, ValueError)):
            read(read_only)

    def test_arguments(self):
        for keywords in (
            {"layout": "hwcn"},
            {"dtype": "int8"},
            {"color": "bgra"},
            {"errors": "ignore"},
            {"device": "tpu"},
            {"device": "cuda:x"},
            {"mean": (1, 2), "dtype": "float32"},
            {"std": 0, "dtype": "float32"},
            {"steps": "nothing"},
            {"size": (0, -3)},
        ):
            with self.assertRaises(imgtool.UsageError, msg=keywords):
                imgtool.read_batch([self.file], **keywords)
        with self.assertRaises(imgtool.UsageError):
            imgtool.read_batch([])
        self.assertEqual(imgtool.read_batch([], color="rgb", size=(4, 5)).shape, (0, 3, 4, 5))
        with self.assertRaises(TypeError):
            imgtool.read_batch([3])

    def test_without_a_gpu(self):
        try:
            imgtool.devices()
        except imgtool.UnavailableError:
            self.assertRaises(imgtool.UnavailableError, imgtool.read_batch, [self.file], device="cuda")
            self.assertRaises(imgtool.UnavailableError, imgtool.read, self.file, device="cuda")
        self.assertRaises(imgtool.UsageError, imgtool.read, self.file, device="tpu")
        self.assertEqual(imgtool.read(self.file, device="cpu").shape, (5, 6, 3))


class Writing(support.InDirectory):
    def test_integers_come_back(self):
        for shape in ((3, 1, 5, 6), (3, 2, 5, 6), (3, 3, 5, 6), (3, 4, 5, 6)):
            for dtype in ("uint8", "uint16"):
                array = numpy.random.default_rng(1).integers(0, numpy.iinfo(dtype).max, shape, dtype)
                color = {1: "gray", 2: "gray+alpha", 3: "rgb", 4: "rgba"}[shape[1]]
                files = imgtool.write_batch(array)
                got = imgtool.read_batch(files, dtype=dtype, color=color)
                self.assertTrue((numpy.asarray(got) == array).all(), (shape, dtype))
                last = numpy.ascontiguousarray(array.transpose(0, 2, 3, 1))
                self.assertEqual(imgtool.write_batch(last, layout="nhwc"), files)

    def test_floats_come_back(self):
        file = imgtool.encode(make_pixels((5, 6, 3)))
        pixels = numpy.asarray(imgtool.read(file))
        tensor = imgtool.read_batch([file], dtype="float32", mean=(0.4, 0.5, 0.6), std=(0.2, 0.3, 0.4))
        self.assertTrue((numpy.asarray(imgtool.read(imgtool.write_batch(tensor)[0])) == pixels).all())
        array = numpy.array(tensor)  # without mean and deviation
        again = imgtool.write_batch(array, mean=(0.4, 0.5, 0.6), std=(0.2, 0.3, 0.4))
        self.assertEqual(again, imgtool.write_batch(tensor))
        values = numpy.float32([[[[-1, 0, 0.2, 1, 2]]]])
        got = imgtool.read(imgtool.write_batch(values)[0])
        self.assertEqual(numpy.asarray(got).tolist(), [[0, 0, 51, 255, 255]])

    def test_files(self):
        array = numpy.random.default_rng(1).integers(0, 255, (2, 3, 5, 6), "uint8")
        paths = [self.path("a.png"), self.path("b.png")]
        with open(paths[0], "wb") as file:
            file.write(b"old")
        os.chmod(paths[0], 0o640)
        self.assertEqual(imgtool.write_batch(array, paths), [None, None])
        self.assertTrue((numpy.asarray(imgtool.read_batch(paths)) == array).all())
        self.assertEqual(os.stat(paths[0]).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(self.directory)), ["a.png", "b.png"])
        with self.assertRaises(FileNotFoundError):
            imgtool.write_batch(array, [self.path("none/a.png"), paths[1]])
        array.flags.writeable = False
        self.assertEqual(len(imgtool.write_batch(array)), 2)
        for wrong in ({"paths": paths[:1]}, {"layout": "hwc"}, {"errors": "zeros"}, {"level": 10}):
            with self.assertRaises(imgtool.UsageError, msg=wrong):
                imgtool.write_batch(array, **wrong)
        with self.assertRaises(imgtool.UsageError):
            imgtool.write_batch(array[0])
        with self.assertRaises(imgtool.UsageError):
            imgtool.write_batch(array.astype("int32"))


class Threads(support.InDirectory):
    def test_threads_and_memory(self):
        """Several threads read; memory does not grow."""
        paths = []
        for i in range(8):
            paths.append(self.path(f"{i}.png"))
            imgtool.write(paths[-1], make_pixels((40, 50, 3), seed=i))
        expected = numpy.asarray(imgtool.read_batch(paths, dtype="float32"))
        wrong = []

        def work():
            for _ in range(20):
                got = imgtool.read_batch([*paths, self.path("none.png")], dtype="float32", errors="zeros", threads=2)
                if not (numpy.asarray(got)[:8] == expected).all():
                    wrong.append(1)

        def run():
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        run()
        before = _resident()
        for _ in range(3):
            run()
        self.assertFalse(wrong)
        self.assertLess(_resident() - before, 20 << 20)

    def test_ctrl_c_ends_a_batch(self):
        support.run_python(
            "import imgtool, os, signal, sys, threading, time\n"
            f"file = imgtool.encode(imgtool.read({sample('rgb-8.png')!r}))\n"
            "threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "begin = time.monotonic()\n"
            "try:\n"
            "    while True:\n"
            "        imgtool.read_batch([file] * 2000, steps='resize 400x400 fit=fill | blur sigma=3')\n"
            "except KeyboardInterrupt:\n"
            "    sys.exit(time.monotonic() - begin > 5)\n"
        )


def _resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    unittest.main()
