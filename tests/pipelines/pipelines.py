#!/usr/bin/python3
"""pipelines.py WORKER SAMPLES [--modules DIRECTORY] [--seed N] [--cases N] [--only N] [--jobs N]

Makes random pictures and pipelines from a seed, runs each pipeline in every way, and compares the results with that of
the first way: see README.md beside this file. Exit code 0: all equal, 1: a difference."""
import argparse
import functools
import glob
import json
import multiprocessing
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

from pictures import random_png
from steps import Drawer, Step, pipeline_text

LEVELS = ["portable", "AVX2", "AVX-512"]
THREADS = ["1", "2", "7"]
STEPS_MOST = 5
# Operations that add their background to the palette of a file, but not to one that quantize has made in the same run.
ADD_BACKGROUND = ("affine", "pad", "perspective", "resize", "rotate")
TRIES = 8  # attempts to find a step that the picture accepts
PIXELS_MOST = 600_000
REFERENCE_MOST = 3_000  # largest picture for the reference, in pixels, because the reference is slow
KEPT_REFUSED = 0.03
PROGRESS = 500
WRITING = [[]] * 4 + [["--level=0"], ["--level=1"], ["--level=6"], ["--no-index"],
                      ["--strip=private"], ["--strip"]]
TO_8_BITS = [Step("depth", [("bits", "8")])]
# What must equal the result of the first way of running the steps: all bytes of the file, all bytes except the chunk
# tIME, or the pixels. One command keeps tIME if its steps cancel each other, but one command per step changes it.
BYTES, BYTES_BUT_TIME, PIXELS = range(3)

imgtool = None  # the Python module, if it is in this build


class Worker:
    """A process that runs commands and library calls, one after another."""

    def __init__(self, program):
        self.said = open("said", "w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen([program, "jobs"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.said, text=True)

    def run(self, kind, level, *arguments):
        self.process.stdin.write("\x1f".join([kind, level, *arguments]) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"FAILED: the worker ended with {self.process.wait()} in "
                             f"{kind} {level} {arguments}: {self.text()}")
        return int(answer)

    def text(self):
        self.said.seek(0)
        return self.said.read().strip()

    def command(self, level, *arguments):
        return self.run("command", level, *arguments, "-q", "--no-sandbox")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.said.close()


class Server:
    def __init__(self, program, level):
        self.process = subprocess.Popen([program, level, "serve", "--socket", "socket", "-q"],
                                        stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not os.path.exists("socket"):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("FAILED: the server did not start")
            time.sleep(0.01)

    def close(self):
        self.process.terminate()
        self.process.wait()


def remove(name):
    if os.path.exists(name):
        os.unlink(name)


def content(name):
    with open(name, "rb") as file:
        return file.read()


def without_time(data):
    """Returns the bytes of a PNG without its tIME chunk."""
    kept, at = data[:8], 8
    while at < len(data):
        end = at + 12 + struct.unpack(">I", data[at:at + 4])[0]
        if data[at + 4:at + 8] != b"tIME":
            kept += data[at:end]
        at = end
    return kept


def size_of(name):
    with open(name, "rb") as file:
        return struct.unpack(">II", file.read(24)[16:])


class Ways:
    """The ways to run a pipeline. Each way is a method that writes out.png, or writes nothing if it rejects the
    steps."""

    def __init__(self, worker, draw):
        self.worker, self.draw = worker, draw
        self.options = draw.choice(WRITING)

    def run(self, level, *arguments):
        self.worker.command(level, "run", *self.options, *arguments, "in.png", "out.png")

    def command(self, steps):
        """The first way, with which all others are compared."""
        self.run("AVX-512", pipeline_text(steps), "--threads=2")

    def all(self, picture):
        """Returns name, method, and required equality of each way: bytes or pixels."""
        threads = THREADS[:]
        self.draw.shuffle(threads)
        ways = [(f"{level}, {count} threads", BYTES, functools.partial(self.level, level, count))
                for level, count in zip(LEVELS, threads)]
        if picture["width"] * picture["height"] <= REFERENCE_MOST:
            ways.append(("--impl reference", BYTES, self.reference))
        ways += [("--via serve", BYTES, self.server), ("batch", BYTES, self.batch),
                 ("step by step", BYTES_BUT_TIME, self.single),
                 ("the library", PIXELS, self.library)]
        if imgtool:
            ways += [("Python", PIXELS, self.python), ("Python's batch", PIXELS, self.python_batch)]
        return ways

    def level(self, level, threads, steps):
        """Reads the steps from a file. The first way has them in its command line."""
        with open("steps.txt", "w", encoding="ascii") as file:
            file.writelines(step.text() + "\n" for step in steps)
        self.run(level, "--pipeline=steps.txt", f"--threads={threads}")

    def reference(self, steps):
        self.run("AVX-512", pipeline_text(steps), "--impl=reference")

    def server(self, steps):
        self.worker.run("command", "AVX-512", "run", *self.options, "--via=serve",
                        "--socket=socket", "-q", pipeline_text(steps), "in.png", "out.png")

    def batch(self, steps):
        shutil.rmtree("batch", ignore_errors=True)
        self.worker.run("command", "AVX-512", "batch", *self.options, "-q", pipeline_text(steps),
                        "in.png", "batch")
        if os.path.exists("batch/in.png"):
            os.replace("batch/in.png", "out.png")

    def single(self, steps):
        """Runs one command per step, with files between the commands."""
        names = [step.operation for step in steps]
        if "quantize" in names and any(name in ADD_BACKGROUND for name in names[names.index("quantize"):]):
            self.run("AVX-512", pipeline_text(steps))
            return
        shutil.copy("in.png", "step.png")
        for number, step in enumerate(steps, 1):
            remove("out.png")
            name, *options = step.arguments()
            if number == len(steps):
                options += self.options
            if self.worker.command("AVX-512", name, *options, "step.png", "out.png") != 0:
                return
            shutil.copy("out.png", "step.png")

    def library(self, steps):
        self.worker.run("library", self.draw.choice(LEVELS), self.draw.choice(THREADS),
                        pipeline_text(steps), "in.png", "out.png")

    def python(self, steps):
        try:
            imgtool.write("out.png", imgtool.run(pipeline_text(steps), imgtool.read("in.png")))
        except imgtool.Error as error:
            remove("out.png")
            self.worker.said.write(str(error))

    def python_batch(self, steps):
        shutil.rmtree("batch", ignore_errors=True)
        os.mkdir("batch")
        try:
            imgtool.batch(pipeline_text(steps), ["in.png"], "batch", workers=1)
        except imgtool.Error as error:  # an error in the steps themselves, whatever the picture is
            self.worker.said.write(str(error))
        if os.path.exists("batch/in.png"):
            os.replace("batch/in.png", "out.png")


class Case:
    """The steps of a case, with all data needed to run them again."""

    def __init__(self, worker, drawer):
        self.worker, self.drawer = worker, drawer

    def expected(self, ways, steps):
        """Returns the bytes of the first way's result; None if it rejects the steps."""
        remove("out.png")
        ways.command(steps)
        return content("out.png") if os.path.exists("out.png") else None

    def draw_steps(self, draw, ways):
        steps = []
        for _ in range(draw.randint(1, STEPS_MOST)):
            for _ in range(TRIES):
                tried = steps + [self.drawer.draw(draw)]
                made = self.expected(ways, tried)
                if made is None and draw.random() >= KEPT_REFUSED:
                    continue
                width, height = size_of("out.png") if made else (0, 0)
                if width * height > PIXELS_MOST:
                    continue
                steps = tried
                if made is None:
                    return steps
                break
        return steps

    def difference(self, way, common, steps, wanted):
        """Returns a description of the difference between this way and the first one, or None."""
        remove("out.png")
        way(steps)
        made = content("out.png") if os.path.exists("out.png") else None
        if made == wanted:
            return None
        if made is None or wanted is None:
            done, refused = ("it", "the command") if wanted is None else ("the command", "it")
            return f"{done} does what {refused} refuses: {self.worker.text()}"
        if common == PIXELS:
            return self.compare(made, wanted)
        if common == BYTES_BUT_TIME and without_time(made) == without_time(wanted):
            return None
        return "other bytes"

    def compare(self, made, wanted):
        """Compares pixels only. Formats may differ, because libraries return channels where files have palette
        indices."""
        for name, data in ("made.png", made), ("wanted.png", wanted):
            with open(name, "wb") as file:
                file.write(data)
        first, second = (imgtool.read(name, color="rgba", dtype="uint16")
                         for name in ("made.png", "wanted.png")) if imgtool else (None, None)
        if not imgtool:
            code = self.worker.command("AVX-512", "compare", "made.png", "wanted.png")
            return None if code == 0 else "other pixels"
        if first.shape != second.shape:
            return f"{first.shape}, not {second.shape}"
        return None if bytes(first) == bytes(second) else "other pixels"

    def smaller(self, ways, way, common, steps, first):
        """Removes steps and options as long as the case still fails. The first way gets the steps `first` before
        them."""
        def fails(tried):
            wanted = self.expected(ways, first + tried)
            return self.difference(way, common, tried, wanted) is not None
        shrunk = True
        while shrunk:
            shrunk = False
            tries = [steps[:i] + steps[i + 1:] for i in range(len(steps)) if len(steps) > 1]
            tries += [steps[:i] + [step.without(at)] + steps[i + 1:]
                      for i, step in enumerate(steps) for at in range(len(step.values))]
            for tried in tries:
                if fails(tried):
                    steps, shrunk = tried, True
                    break
        return steps


def prepare(options):
    """Makes the files that steps can name, beside in.png."""
    for name in "overlay.png", "overlay-2.png":
        shutil.copy(os.path.join(options.samples, {"overlay.png": "rgba-8.png",
                                                   "overlay-2.png": "palette-4.png"}[name]), name)
    with open("look.cube", "w", encoding="ascii") as file:
        file.write("LUT_3D_SIZE 2\n")
        for i in range(8):
            file.write(f"{0.9 * (i & 1)} {0.5 * (i >> 1 & 1) + 0.2} {i >> 2}\n")
    with open("curve.cube", "w", encoding="ascii") as file:
        file.write("LUT_1D_SIZE 3\n0 0 0.1\n0.7 0.4 0.5\n1 0.9 1\n")
    with open("kernel.txt", "w", encoding="ascii") as file:
        file.write("1 2 1 0 0\n0 -1 3 -1 0\n0 0 1 0 1\n")


def run_case(number, options, case, failures):
    seed = f"{options.seed}:{number}"
    draw = random.Random(seed)
    data, picture = random_png(seed)
    with open("in.png", "wb") as file:
        file.write(data)
    ways = Ways(case.worker, draw)
    steps = case.draw_steps(draw, ways)
    if not steps:
        return "none"
    wanted = case.expected(ways, steps)
    wanted_of_8_bits = wanted
    if imgtool and picture["depth"] < 8:
        wanted_of_8_bits = case.expected(ways, TO_8_BITS + steps)
    for name, common, way in ways.all(picture):
        # In Python, gray has at least 8 bits, and so have the colours that steps add to it. So results from Python are
        # compared with the result of the first way for the picture converted to 8 bits.
        in_python = name.startswith("Python")
        first = TO_8_BITS if in_python and picture["depth"] < 8 else []
        problem = case.difference(way, common, steps, wanted_of_8_bits if in_python else wanted)
        if problem is None:
            continue
        small = case.smaller(ways, way, common, steps, first)
        kept = os.path.join(options.keep, f"pipeline-{options.seed}-{number}.png")
        with open(kept, "wb") as file:
            file.write(data)
        failures.append(f"FAILED: {name}: {problem}\n    {picture['words']}: {pipeline_text(small)}\n"
                        f"    imgtool run {' '.join(ways.options)} '{pipeline_text(small)}' {kept} out.png\n"
                        f"    pipelines.py ... --seed {options.seed} --only {number}\n"
                        f"    drawn: {pipeline_text(steps)}")
        print(failures[-1], flush=True)
    return "refused" if wanted is None else "done"


def run_share(share, numbers, options, results):
    os.chdir(tempfile.mkdtemp(prefix="imgtool-pipelines."))
    worker = Worker(options.worker)
    prepare(options)
    server = Server(options.worker, LEVELS[share % len(LEVELS)])
    counts = {"done": 0, "refused": 0, "none": 0}
    failures = []
    try:
        shutil.copy(os.path.join(options.samples, "rgb-8.png"), "small.png")
        worker.run("command", "AVX-512", "ops", "--json")
        operations = json.loads(worker.text())["operations"]

        def accepts(text):
            return worker.command("AVX-512", "run", text, "small.png", "tried.png") == 0
        files = [name for pattern in ("*.cube", "*.txt", "overlay*.png")
                 for name in sorted(glob.glob(pattern))]
        drawer = Drawer(operations, accepts, files)
        drawer.learn()
        case = Case(worker, drawer)
        for number in numbers:
            counts[run_case(number, options, case, failures)] += 1
            if sum(counts.values()) % PROGRESS == 0:
                print(f"... {sum(counts.values())} of {len(numbers)} of share {share + 1}", flush=True)
    finally:
        server.close()
        worker.close()
        here = os.getcwd()
        os.chdir("/")
        shutil.rmtree(here)
        results.put((counts, len(failures)))


def main():
    global imgtool
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("samples")
    parser.add_argument("--modules", default="")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", default=tempfile.gettempdir(), help="where pictures of failures go")
    options = parser.parse_args()
    os.environ["SOURCE_DATE_EPOCH"] = "1000000000"  # a fixed tIME, so that it does not depend on the time of a run
    options.worker, options.samples = map(os.path.abspath, (options.worker, options.samples))
    if options.modules:
        sys.path.insert(0, options.modules)
        import imgtool as module
        imgtool = module
    print(f"seed {options.seed}, {options.cases} pipelines" +
          ("" if imgtool else "; skipped: Python, as the module is not in this build"), flush=True)
    numbers = [options.only] if options.only is not None else range(options.cases)
    results = multiprocessing.Queue()
    shares = [multiprocessing.Process(target=run_share,
                                      args=(share, numbers[share::options.jobs], options, results))
              for share in range(options.jobs)]
    for share in shares:
        share.start()
    for share in shares:
        share.join()
    total, failed = {}, 0
    while not results.empty():
        counts, failures = results.get()
        failed += failures
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    print(f"{total.get('done', 0)} done and {total.get('refused', 0)} refused by all ways alike, "
          f"{total.get('none', 0)} without a step that applies; {failed} differences")
    sys.exit(failed > 0 or any(share.exitcode != 0 for share in shares))


main()
