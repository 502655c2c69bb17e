#!/usr/bin/env python3
"""Compares the emulator's counts with those of Nsight Compute, launch by launch.

    compare_counts.py PROFILE.csv EMULATED

EMULATED is the output of an emulated program run with EMULATOR_COUNTS=launches. PROFILE.csv is that
of the same program on a GPU: ncu --csv --page raw --metrics (those below) -k (the kernels) PROGRAM.
Prints a Markdown table; where the two differ, Nsight Compute's count stands first. Exit code 1 if
anything differs."""
import csv
import sys

METRICS = [
    ("shared reads", "smsp__inst_executed_op_shared_ld.sum"),
    ("wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    ("shared writes", "smsp__inst_executed_op_shared_st.sum"),
    ("wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    ("global reads", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    ("sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    ("global writes", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    ("sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
]


def measured(path):
    with open(path) as file:
        rows = csv.DictReader(line for line in file if line.startswith('"'))
        return [[int(float(row[name].replace(",", ""))) for _, name in METRICS]
                for row in rows if row["ID"]]


def emulated(path):
    with open(path) as file:
        rows = csv.reader(line for line in file if line.startswith("COUNTS,"))
        return [(row[1], [int(value) for value in row[2:2 + len(METRICS)]]) for row in rows]


def main():
    gpu, emulator = measured(sys.argv[1]), emulated(sys.argv[2])
    if len(gpu) != len(emulator):
        sys.exit(f"{len(gpu)} launches were profiled, {len(emulator)} emulated")
    print("| kernel | " + " | ".join(name for name, _ in METRICS) + " |")
    print("| --- |" + " --- |" * len(METRICS))
    different = False
    for profile, (kernel, counts) in zip(gpu, emulator):
        cells = [str(a) if a == b else f"**{a}**, {b}" for a, b in zip(profile, counts)]
        different = different or profile != counts
        print(f"| `{kernel}` | " + " | ".join(cells) + " |")
    sys.exit(different)


if __name__ == "__main__":
    main()
