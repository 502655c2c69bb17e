#!/usr/bin/env python3
"""Compares the sizes and the processor time of tools that make PNG files smaller without changing a pixel.

optimize.py IMGTOOL LIST [TOOL ...]

LIST has a line for each file: its kind, a tab, and its path. A TOOL is imgtool:EFFORT, level:N (imgtool convert),
oxipng:LEVEL (package pyoxipng of PyPI), optipng:LEVEL or zopflipng (Debian). Without TOOLs it takes imgtool:4 and
oxipng:2 and 4, as far as they are installed. All tools use one thread and drop metadata.

For each kind it prints the number of files, their bytes, and for each tool the share of these bytes that is left, in
per cent, and the processor time in seconds. The time of a tool is that of its processes, with their start; that of
oxipng is that of the call. A result whose pixels `imgtool compare` finds different is reported, and the exit code is 1."""
import collections
import os
import resource
import shutil
import subprocess
import sys
import tempfile

try:
    import oxipng
except ImportError:
    oxipng = None
os.environ["RAYON_NUM_THREADS"] = "1"  # threads of oxipng
COMMAND = sys.argv[1]


def run_of(tool, source, target):
    """Returns the command line of a tool that is a program."""
    name, _, level = tool.partition(":")
    return {
        "imgtool": [COMMAND, "optimize", "-q", "--threads", "1", "--strip=all", "--effort", level, source, target],
        "level": [COMMAND, "convert", "-q", "--threads", "1", "--strip=all", "--no-index", "--level", level, source,
                  target],
        "optipng": ["optipng", "-quiet", "-force", "-strip", "all", f"-o{level}", "-out", target, source],
        "zopflipng": ["zopflipng", "-y", source, target],
    }[name]


def seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def optimize(tool, source, target):
    """Returns the processor time in seconds."""
    if tool.startswith("oxipng:"):
        before = seconds(resource.RUSAGE_SELF)
        oxipng.optimize(source, target, level=int(tool[7:]), strip=oxipng.StripChunks.all())
        return seconds(resource.RUSAGE_SELF) - before
    before = seconds(resource.RUSAGE_CHILDREN)
    subprocess.run(run_of(tool, source, target), check=True, stdout=subprocess.DEVNULL)
    return seconds(resource.RUSAGE_CHILDREN) - before


def is_installed(tool):
    name = tool.partition(":")[0]
    if name == "oxipng":
        return oxipng is not None
    return name in ("imgtool", "level") or shutil.which(name) is not None


def main():
    with open(sys.argv[2], encoding="utf-8") as lines:
        files = [line.rstrip("\n").split("\t") for line in lines]
    tools = [tool for tool in sys.argv[3:] or ["imgtool:4", "oxipng:2", "oxipng:4"] if is_installed(tool)]
    counts, before = collections.Counter(), collections.Counter()
    left, time = collections.Counter(), collections.Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        target = os.path.join(directory, "out.png")
        for kind, path in files:
            counts[kind] += 1
            before[kind] += os.path.getsize(path)
            for tool in tools:
                time[kind, tool] += optimize(tool, path, target)
                left[kind, tool] += os.path.getsize(target)
                if subprocess.run([COMMAND, "compare", "-q", path, target], check=False).returncode != 0:
                    wrong.append((tool, path))
                os.unlink(target)
    print("| kind | files | bytes | " + " | ".join(tools) + " |")
    print("| --- | ---: | ---: |" + " ---: |" * len(tools))
    for kind in [*before, None]:
        kinds = [kind] if kind is not None else list(before)
        all_bytes = sum(before[each] for each in kinds)
        cells = [f"{100 * sum(left[each, tool] for each in kinds) / all_bytes:.2f} %, "
                 f"{sum(time[each, tool] for each in kinds):.1f} s" for tool in tools]
        print(f"| {kind or 'all'} | {sum(counts[each] for each in kinds)} | {all_bytes:,} | " + " | ".join(cells) + " |")
    for tool, path in wrong:
        print(f"{tool}: other pixels: {path}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
