"""How much memory calls may take where they do not say it: as much as the command, three quarters
of the machine's, or of what control groups leave the process."""

import os


def _groups():
    """The process's own control group and those above it (version 2 alone)."""
    with open("/proc/self/cgroup", encoding="utf-8", errors="surrogateescape") as file:
        own = next((line[3:].rstrip("\n") for line in file if line.startswith("0::")), None)
    while own is not None:
        own = own.rstrip("/")
        yield "/sys/fs/cgroup" + own
        own = own.rpartition("/")[0] if own else None


def _limit(directory, machine):
    try:
        with open(os.path.join(directory, "memory.max"), encoding="ascii") as file:
            return int(file.read()) or machine
    except (OSError, ValueError):  # no such file, or "max"
        return machine


def default():
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        groups = list(_groups())
    except OSError:
        groups = []
    return min([machine, *(_limit(directory, machine) for directory in groups)]) // 4 * 3
