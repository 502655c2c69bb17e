"""Batches: each thread processes one file at a time. Threads run in parallel, because the work does not hold the
GIL."""

import concurrent.futures
import os
from typing import NamedTuple, Optional

from imgtool import _imgtool


class Result(NamedTuple):
    """The result for one file. `error` is None if `target` was written."""

    source: str
    target: str
    error: Optional[_imgtool.Error]


class BatchError(_imgtool.Error):
    """Some files of a batch failed. `results` has the Result of every file; path, problem and status
    are those of the first failure."""

    def __init__(self, results):
        failed = [result for result in results if result.error is not None]
        first = failed[0].error
        super().__init__(f"{len(failed)} of {len(results)} files failed; the first: {first}")
        self.results = results
        self.path, self.problem, self.status = first.path, first.problem, first.status


_WITH_ALPHA = {"gray": "gray+alpha", "rgb": "rgba"}


def _read(source, steps):
    """Reads a picture. A transparent colour (tRNS) becomes alpha, because most steps would drop the colour."""
    picture = _imgtool.read(source, threads=1)
    if steps and picture.color in _WITH_ALPHA and "tRNS" in dict(picture.metadata):
        picture = _imgtool.read(source, color=_WITH_ALPHA[picture.color], threads=1)
    return picture


def _file_error(path, problem):
    made = _imgtool.FileError(f"{path!a}: {problem}")
    made.path, made.problem, made.status = path, problem, "file cannot be read or written"
    return made


def _do(steps, source, target, options):
    try:
        picture = _read(source, steps)
        if steps:
            picture = _imgtool.run(steps, picture, threads=1, backend="cpu")
        _imgtool.write(target, picture, threads=1, **options)
    except _imgtool.Error as error:
        return Result(source, target, error)
    except ValueError as error:  # the path contains a zero byte
        return Result(source, target, _file_error(source, f"is not a file name: {error}"))
    return Result(source, target, None)


def _name(source, wanted):
    """Returns the name of the source, with the extension of the output format."""
    stem, extension = os.path.splitext(os.path.basename(source))
    known = {"jpeg": (".jpg", ".jpeg")}.get(wanted, (f".{wanted}",))
    return stem + (extension if extension.lower() in known else known[0])


def _pair(sources, directory, wanted):
    """Returns pairs of source and target paths. Raises UsageError if two targets are the same."""
    pairs = []
    seen = {}
    for source in map(os.fspath, sources):
        target = os.path.join(directory, _name(source, wanted))
        if target in seen:
            raise _imgtool.UsageError(f"{seen[target]} and {source} would both become {target}")
        seen[target] = source
        pairs.append((source, target))
    return pairs


def _identity(path):
    """Returns device and inode of a file, or None if it does not exist. All names of a file have the same pair."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: the path contains a zero byte
        return None
    return found.st_dev, found.st_ino


def _check_inputs(pairs):
    """Raises UsageError if an output would replace an input. The input is the original, and may not have been read
    yet."""
    inputs = {_identity(source): source for source, _ in pairs}
    inputs.pop(None, None)
    for source, target in pairs:
        replaced = inputs.get(_identity(target))
        if replaced is not None:
            raise _imgtool.UsageError(
                f"{replaced} is an input, and would be replaced by {target}, the output of {source}; "
                "name another directory"
            )


def batch(steps, sources, directory, *, workers=None, each=None, errors="raise", **options):
    """Read files, run steps on each, and write them to a directory.

    Outputs have the names of the sources, with the extension of the format (default: PNG).

    steps: as for run; "" for none.
    sources: paths.
    directory: created if it does not exist.
    workers: number of threads, one picture each; None: the CPUs of the process.
    each: a function that is called with every Result, in the order of the sources.
    errors: "raise" raises BatchError after all files if some failed; "return" only returns results.
    options: those of write, such as level=1.

    Returns a list of Results in the order of the sources. A file that fails does not stop the
    others. Raises UsageError if an output would replace an input. After Ctrl-C, or an exception in
    `each`, no more files are started.
    """
    if errors not in ("raise", "return"):
        raise _imgtool.UsageError(f"errors: raise or return, not {errors!r}")
    directory = os.fspath(directory)
    options["format"] = options.get("format") or "png"
    pairs = _pair(sources, directory, options["format"])
    if steps:
        _imgtool.parse(steps)  # invalid steps fail here instead of once per file
    _check_inputs(pairs)
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise _file_error(directory, f"cannot be created: {error.strerror}") from error
    pool = concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0)))
    results = []
    try:
        for future in [pool.submit(_do, steps, *pair, options) for pair in pairs]:
            results.append(future.result())
            if each is not None:
                each(results[-1])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    if errors == "raise" and any(result.error is not None for result in results):
        raise BatchError(results)
    return results
