"""Many files, side by side: a thread each, as the work does not hold the GIL."""

import concurrent.futures
import os
from typing import NamedTuple, Optional

from imgtool import _imgtool


class Result(NamedTuple):
    """What became of a file: `error` is None where `target` was written."""

    source: str
    target: str
    error: Optional[_imgtool.Error]


_WITH_ALPHA = {"gray": "gray+alpha", "rgb": "rgba"}


def _read(source, steps):
    """A transparent colour does not outlive most steps: of such pictures they get alpha."""
    picture = _imgtool.read(source, threads=1)
    if steps and picture.color in _WITH_ALPHA and "tRNS" in dict(picture.metadata):
        picture = _imgtool.read(source, color=_WITH_ALPHA[picture.color], threads=1)
    return picture


def _no_name(source, error):
    problem = f"is no name of a file: {error}"
    made = _imgtool.FileError(f"{source!a}: {problem}")
    made.path, made.problem, made.status = source, problem, "file cannot be read or written"
    return made


def _do(steps, source, target, options):
    try:
        picture = _read(source, steps)
        if steps:
            picture = _imgtool.run(steps, picture, threads=1, backend="cpu")
        _imgtool.write(target, picture, threads=1, **options)
    except _imgtool.Error as error:
        return Result(source, target, error)
    except ValueError as error:  # of no operation: a name that no file can have
        return Result(source, target, _no_name(source, error))
    return Result(source, target, None)


def _name(source, wanted):
    """The source's name, as that of the format that is written: its own extension may be wrong."""
    stem, extension = os.path.splitext(os.path.basename(source))
    known = {"jpeg": (".jpg", ".jpeg")}.get(wanted, (f".{wanted}",))
    return stem + (extension if extension.lower() in known else known[0])


def _pair(sources, directory, wanted):
    """Paths of sources and targets, of which no two may be the same."""
    pairs = []
    seen = {}
    for source in map(os.fspath, sources):
        target = os.path.join(directory, _name(source, wanted))
        if target in seen:
            raise _imgtool.UsageError(f"{seen[target]} and {source} would both become {target}")
        seen[target] = source
        pairs.append((source, target))
    return pairs


def batch(steps, sources, directory, *, workers=None, each=None, **options):
    """Reads files, runs steps on each, and writes them to a directory under their names, as PNG or
    in the format that is given, with its extension.

    steps: as of run; "" for none. sources: paths. workers: threads, one picture each; None: as many
    as the process may use. each: is called with every Result. options: those of write, as level=1.

    Returns a list of Results, in the order of the sources; a file that fails ends nothing but
    itself. After Ctrl-C, or an exception in `each`, no more files are begun.
    """
    options["format"] = options.get("format") or "png"
    pairs = _pair(sources, os.fspath(directory), options["format"])
    if steps:
        _imgtool.parse(steps)  # wrong steps fail once, and not for each file
    pool = concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0)))
    results = []
    try:
        for future in [pool.submit(_do, steps, *pair, options) for pair in pairs]:
            results.append(future.result())
            if each is not None:
                each(results[-1])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return results
