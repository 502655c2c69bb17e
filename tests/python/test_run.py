"""imgtool.run, parse, convert, stats, histogram, compare, batch and operations."""

import os
import pathlib
import shutil
import unittest

import support
from support import imgtool, make_pixels, numpy, sample


class Run(unittest.TestCase):
    def test_steps_are_run(self):
        pixels = make_pixels((40, 60, 3))
        turned = numpy.asarray(imgtool.run("rotate", pixels))
        self.assertTrue((turned == numpy.rot90(pixels, -1)).all())
        self.assertEqual(imgtool.run("resize 50% | sharpen", pixels).shape, (20, 30, 3))
        self.assertEqual(imgtool.run("grayscale", pixels).shape, (40, 60))
        self.assertEqual(imgtool.run("depth bits=16", pixels).dtype, "uint16")

    def test_results_may_be_smaller_than_planned(self):
        pixels = numpy.zeros((50, 70, 3), "uint8")
        pixels[10:20, 30:45] = 200
        trimmed = imgtool.run("trim", pixels)
        self.assertTrue((numpy.asarray(trimmed) == 200).all())
        self.assertEqual(trimmed.shape, (10, 15, 3))
        self.assertTrue(numpy.asarray(trimmed).flags.c_contiguous)  # the result has its own memory, without gaps between rows
        self.assertTrue((numpy.asarray(imgtool.read(imgtool.encode(trimmed))) == 200).all())

    def test_quantized_arrays_have_a_palette(self):
        pixels = make_pixels((20, 30, 3))
        few = imgtool.run("quantize colors=4 | rotate", pixels)
        self.assertEqual((few.color, few.shape), ("palette", (30, 20)))
        self.assertEqual([name for name, _ in few.metadata], ["PLTE"])
        colors = numpy.asarray(imgtool.read(imgtool.encode(few)))
        self.assertLessEqual(len(numpy.unique(colors.reshape(-1, 3), axis=0)), 4)
        same = imgtool.run("quantize colors=4 | rotate | brightness value=0", pixels)
        self.assertEqual(same.color, "rgb")
        self.assertTrue((numpy.asarray(same) == colors).all())

    def test_results_have_no_gaps_between_rows(self):
        pixels = make_pixels((47, 1501, 3))
        for steps in ("trim", "trim | resize 700x20 fit=fill", "rotate angle=90 | trim"):
            result = imgtool.run(steps, pixels)
            self.assertTrue(memoryview(result).c_contiguous, steps)
        self.assertTrue((numpy.asarray(imgtool.run("trim", pixels)) == pixels).all())

    def test_results_may_be_larger_than_planned(self):
        """The trimmed picture is narrow, so its height grows."""
        pixels = numpy.full((100, 100), 255, "uint8")
        pixels[:, 45:55] = numpy.arange(10, dtype="uint8") * 20
        self.assertEqual(imgtool.run("trim | resize 100", pixels).shape, (1000, 100))
        self.assertRaises(imgtool.LimitError, imgtool.run, "trim | resize 100", pixels, max_pixels=99999)

    def test_views_and_threads_give_the_same(self):
        pixels = make_pixels((200, 300, 3))
        view = pixels[::-1, ::2, ::-1]
        expected = numpy.asarray(imgtool.run("blur sigma=2", numpy.ascontiguousarray(view)))
        for threads in (0, 1, 2):
            got = imgtool.run("blur sigma=2", view, threads=threads)
            self.assertTrue((numpy.asarray(got) == expected).all())

    def test_orientation_is_followed(self):
        for number in range(1, 9):
            array = imgtool.read(sample(f"orientation-{number}.png"))
            upright = imgtool.run("autorotate", array)
            self.assertEqual(upright.orientation in (0, 1), True)
            self.assertEqual(upright.shape, imgtool.run("autorotate", upright).shape)

    def test_impossible_runs_are_rejected(self):
        pixels = make_pixels((4, 6, 3))
        for steps in ("nonsense", "rotate angle=x", "rotate |", "crop x=100 y=100"):
            self.assertRaises(imgtool.Error, imgtool.run, steps, pixels)
        self.assertRaises(imgtool.UsageError, imgtool.run, "rotate", pixels, backend="gpu")
        self.assertRaises(imgtool.Error, imgtool.run, "rotate", pixels.astype("float32"))
        self.assertRaises(imgtool.LimitError, imgtool.run, "rotate", pixels, max_pixels=10)

    def test_cuda_arrays_take_precedence_over_buffers(self):
        """CuPy arrays have both interfaces. The CUDA interface must be used, and not the buffer."""

        class Elsewhere(bytearray):
            __cuda_array_interface__ = {"shape": (2, 3), "typestr": "<i4", "data": (0, False)}

        with self.assertRaisesRegex(imgtool.UsageError, "shape"):
            imgtool.run("rotate", bytearray(6))
        with self.assertRaisesRegex(imgtool.UsageError, "__cuda_array_interface__"):
            imgtool.run("rotate", Elsewhere(6))

    def test_parse_returns_the_steps(self):
        text = imgtool.parse("resize 50% | sharpen")
        self.assertEqual(imgtool.parse(text), text)
        with self.assertRaises(imgtool.UsageError) as caught:
            imgtool.parse("rotate | nonsense")
        self.assertIn("nonsense", str(caught.exception))

    def test_operations_are_described(self):
        operations = {one["name"]: one for one in imgtool.operations()}
        self.assertGreater(len(operations), 40)
        resize = {one["name"]: one for one in operations["resize"]["options"]}
        self.assertIn("lanczos3", resize["filter"]["choices"])
        for one in operations.values():
            if not one["is_measurement"] and "file" not in {o["value"] for o in one["options"]}:
                imgtool.parse(one["example"])


class Convert(unittest.TestCase):
    def test_conversions_there_and_back_are_equal(self):
        pixels = make_pixels((20, 30, 3))
        floats = imgtool.convert(pixels, dtype="float32")
        again = numpy.asarray(imgtool.convert(floats, dtype="uint8"))
        self.assertTrue((again == pixels).all())
        self.assertEqual(imgtool.convert(pixels, color="rgba").shape, (20, 30, 4))
        self.assertRaises(imgtool.Error, imgtool.convert, pixels, color="palette")


class Measure(unittest.TestCase):
    def test_histogram_counts_samples(self):
        for dtype, values in (("uint8", 256), ("uint16", 65536)):
            pixels = make_pixels((50, 60, 3), dtype)
            counts = numpy.asarray(imgtool.histogram(pixels))
            self.assertEqual(counts.shape, (4, values))
            for channel in range(3):
                expected = numpy.bincount(pixels[..., channel].ravel(), minlength=values)
                self.assertTrue((counts[channel] == expected).all())

    def test_stats_match_numpy(self):
        pixels = make_pixels((50, 60, 4))
        stats = imgtool.stats(pixels)
        self.assertEqual(list(stats), ["red", "green", "blue", "alpha", "luma"])
        for channel, name in enumerate(["red", "green", "blue", "alpha"]):
            self.assertAlmostEqual(stats[name]["mean"], pixels[..., channel].mean())
            self.assertAlmostEqual(stats[name]["deviation"], pixels[..., channel].std())
            self.assertEqual(stats[name]["maximum"], pixels[..., channel].max())
            self.assertEqual(stats[name]["lowest"], (pixels[..., channel] == 0).sum())
        self.assertEqual(list(imgtool.stats(pixels[..., 0])), ["gray"])

    def test_compare_counts_differences(self):
        first = make_pixels((50, 60, 3))
        second = first.copy()
        self.assertEqual(imgtool.compare(first, second)["differing"], 0)
        second[7, 9, 1] ^= 4
        found = imgtool.compare(first, second)
        self.assertEqual((found["differing"], found["largest"]), (1, 4))
        self.assertEqual((found["x"], found["y"]), (9, 7))
        self.assertRaises(imgtool.Error, imgtool.compare, first, first[1:])


class Batch(support.InDirectory):
    def test_batch_writes_files(self):
        names = ["rgb-8.png", "gray-16.png", "palette-4.png"]
        sources = [sample(name) for name in names]
        seen = []
        results = imgtool.batch("rotate", sources, self.directory, level=1, each=seen.append)
        self.assertEqual(results, seen)
        self.assertEqual([result.error for result in results], [None] * 3)
        for name in names:
            expected = numpy.asarray(imgtool.run("rotate", imgtool.read(sample(name))))
            self.assertTrue((numpy.asarray(imgtool.read(self.path(name))) == expected).all())

    def test_batch_keeps_or_changes_formats(self):
        """A PNG with another extension must stay a PNG. If a format is given, outputs must have its extension."""
        shutil.copy(sample("rgb-8.png"), self.path("a.jpeg"))
        for options in {}, {"format": "bmp"}:
            (result,) = imgtool.batch("", [self.path("a.jpeg")], self.path("out"), **options)
            self.assertIsNone(result.error)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["a.bmp", "a.png"])
        imgtool.read(self.path("out/a.png"))

    def test_failures_are_reported_per_file(self):
        sources = [sample("README.md"), sample("rgb-8.png")]
        first, second = imgtool.batch("", sources, self.directory, errors="return")
        self.assertIsInstance(first.error, imgtool.FormatError)
        self.assertIsNone(second.error)
        self.assertEqual(os.listdir(self.directory), ["rgb-8.png"])
        bad = [self.path("\ud800.png"), self.path("a\0b.png"), sources[1]]
        with self.assertRaises(imgtool.BatchError) as raised:
            imgtool.batch("", bad, self.directory)
        results = raised.exception.results
        self.assertEqual(raised.exception.path, bad[0])
        self.assertIn("2 of 3 files failed", str(raised.exception))
        self.assertEqual([type(result.error) for result in results[:2]], [imgtool.FileError] * 2)
        self.assertEqual([result.error.path for result in results[:2]], bad[:2])
        self.assertIsNone(results[2].error)
        self.assertRaises(imgtool.UsageError, imgtool.batch, "nonsense", sources, self.directory)
        self.assertRaises(imgtool.UsageError, imgtool.batch, "", sources * 2, self.directory)
        self.assertRaises(imgtool.UsageError, imgtool.batch, "", sources, self.directory, errors="no")

    def test_the_directory_is_created(self):
        imgtool.batch("", [sample("rgb-8.png")], self.path("new/one"))
        self.assertEqual(os.listdir(self.path("new/one")), ["rgb-8.png"])
        with self.assertRaises(imgtool.FileError) as raised:
            imgtool.batch("", [sample("rgb-8.png")], self.path("new/one/rgb-8.png/two"))
        self.assertIn("cannot be created", str(raised.exception))

    def test_inputs_are_never_overwritten(self):
        """An input may be reached through the directory itself, a link to it, or a name that is a link."""
        for name in "a.png", "b.png":
            shutil.copy(sample("rgb-8.png"), self.path(name))
        os.symlink(self.directory, self.path("same"))
        os.mkdir(self.path("linked"))
        os.symlink(self.path("b.png"), self.path("linked/a.png"))
        sources = [self.path("a.png"), self.path("b.png")]
        before = [pathlib.Path(path).read_bytes() for path in sources]
        for directory in "", "same", "linked":
            with self.assertRaises(imgtool.UsageError) as raised:
                imgtool.batch("rotate", sources, self.path(directory))
            self.assertIn("is an input, and would be replaced by", str(raised.exception))
        self.assertEqual([pathlib.Path(path).read_bytes() for path in sources], before)


if __name__ == "__main__":
    unittest.main()
