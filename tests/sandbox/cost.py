#!/usr/bin/env python3
"""cost.py IMGTOOL PICTURE [RUNS]: measures the cost of the sandbox for a quarter turn. Runs with and without the
sandbox alternate.

Prints processor time, and the time until the command has ended. Other work on the machine affects the second time
more."""
import os
import statistics
import sys
import tempfile
import time

imgtool, picture = sys.argv[1:3]
runs = int(sys.argv[3]) if len(sys.argv) > 3 else 300
ways = {"with": [], "without": ["--no-sandbox"]}
seen = {way: ([], []) for way in ways}
with tempfile.TemporaryDirectory() as directory:
    for i in range(runs):
        for way in sorted(ways, reverse=i % 2 == 1):
            command = [imgtool, "rotate", *ways[way], "--backend", "cpu", picture, directory + "/out.png"]
            start = time.perf_counter()
            _, status, usage = os.wait4(os.posix_spawn(imgtool, command, os.environ), 0)
            if status != 0:
                sys.exit(f"{' '.join(command)}: failed")
            seen[way][0].append(usage.ru_utime + usage.ru_stime)
            seen[way][1].append(time.perf_counter() - start)
for way, (processor, wall) in seen.items():
    print(f"{way:8} processor {statistics.median(processor) * 1e3:.3f} ms, "
          f"wall {statistics.median(wall) * 1e3:.3f} ms, medians of {runs}")
