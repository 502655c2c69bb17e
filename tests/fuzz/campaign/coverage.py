#!/usr/bin/env python3
"""coverage.py TREE JSON TABLE LIST: reads JSON, which is the export of llvm-cov. Writes the coverage by directory to
TABLE as Markdown. Writes the functions of app, io and kernels that no input reached to LIST."""
import collections
import json
import os
import sys

PARTS = ("app", "io", "kernels")


def relative(tree, name):
    path = os.path.relpath(os.path.realpath(name), tree)
    return path if path.split(os.sep)[0] in PARTS else None


def by_directory(tree, files):
    sums = collections.defaultdict(lambda: [0] * 6)
    for entry in files:
        path = relative(tree, entry["filename"])
        if path is None:
            continue
        summary = entry["summary"]
        parts = os.path.dirname(path).split(os.sep)
        for depth in range(1, min(len(parts), 3) + 1):
            row = sums["/".join(parts[:depth])]
            for i, key in enumerate(("functions", "lines", "regions")):
                row[2 * i] += summary[key]["covered"]
                row[2 * i + 1] += summary[key]["count"]
    return sums


def unreached(tree, functions):
    """Returns the unreached functions, and the number of all functions. A static function of a header counts as reached
    if any of its copies was reached."""
    reached = {}
    for function in functions:
        path = relative(tree, function["filenames"][0])
        if path is not None:
            name = function["name"].split(":")[-1]
            key = (path, function["regions"][0][0], name)
            reached[key] = reached.get(key, False) or function["count"] > 0
    return sorted(key for key, was in reached.items() if not was), len(reached)


def main():
    tree, source, table, listing = sys.argv[1:]
    tree = os.path.realpath(tree)
    with open(source, encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    missing, count = unreached(tree, data["functions"])
    with open(listing, "w", encoding="utf-8") as file:
        for path, line, name in missing:
            file.write(f"{path}:{line}: {name}\n")
    with open(table, "w", encoding="utf-8") as file:
        file.write("# Code that the fuzzing corpora reach\n\nWritten by `tests/fuzz/campaign.sh --coverage`. "
                   "MEASUREMENTS.md says what is not reached, and why.\n\n")
        file.write("| directory | functions | lines | regions |\n| --- | ---: | ---: | ---: |\n")
        for name, row in sorted(by_directory(tree, data["files"]).items()):
            cells = [f"{row[i]} of {row[i + 1]} ({100 * row[i] // max(row[i + 1], 1)} %)" for i in (0, 2, 4)]
            file.write(f"| {name} | " + " | ".join(cells) + " |\n")
        file.write(f"\nNever reached: {len(missing)} of {count} functions of app, io and kernels, by file:\n\n")
        by_file = collections.defaultdict(list)
        for path, _, name in missing:
            by_file[path].append(name)
        for path, names in sorted(by_file.items()):
            file.write(f"- {path}: {', '.join(names)}\n")


main()
