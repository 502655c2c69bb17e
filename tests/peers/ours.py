"""Times an operation of imgtool with the program `ours` (ours.c), which runs the operation once per request."""
import subprocess


class Ours:
    """A process of `ours`. `values` are the operation's options as NAME=VALUE."""

    def __init__(self, program, op, channels, size, values, edge=0):
        command = [program, op, *map(str, (channels, *size, edge)), *values]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline().split()
        if not line:
            raise SystemExit(f"{' '.join(command)}: failed")
        self.prepared_ms, self.implementation = float(line[0]), line[1]

    def ms(self):
        """Returns the milliseconds of processor time of one more run."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
