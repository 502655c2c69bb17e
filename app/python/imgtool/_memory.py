"""The default of max_memory, which is that of the command too: three quarters of the machine's
memory, or of the limit of the process's control groups."""

import os


def _groups():
    """Yields the directories of the process's control group and its parents (version 2 only)."""
    with open("/proc/self/cgroup", encoding="utf-8", errors="surrogateescape") as file:
        own = next((line[3:].rstrip("\n") for line in file if line.startswith("0::")), None)
    while own is not None:
        own = own.rstrip("/")
        yield "/sys/fs/cgroup" + own
        own = own.rpartition("/")[0] if own else None


def _limit(directory, machine):
    """Returns the memory limit of a control group in bytes, or `machine` if it has none."""
    try:
        with open(os.path.join(directory, "memory.max"), encoding="ascii") as file:
            return int(file.read()) or machine
    except (OSError, ValueError):  # no such file, or "max"
        return machine


def default():
    """Returns the default of max_memory in bytes."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        groups = list(_groups())
    except OSError:
        groups = []
    return min([machine, *(_limit(directory, machine) for directory in groups)]) // 4 * 3
