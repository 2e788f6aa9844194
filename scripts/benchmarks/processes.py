"""Runs a process from its start to its end, and measures its time and memory."""

import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path


class MemorySampler(threading.Thread):
    """The most memory of a process that is no mapped file, as Linux counts it."""

    INTERVAL = 0.002

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.path = Path(f"/proc/{pid}/status")
        self.peak_kb = 0
        self.start()

    def run(self):
        while True:
            try:
                status = self.path.read_text(encoding="ascii")
            except OSError:
                return
            anonymous = [line for line in status.splitlines() if line.startswith("RssAnon:")]
            # A process that has ended and was not waited for has none.
            if not anonymous:
                return
            self.peak_kb = max(self.peak_kb, int(anonymous[0].split()[1]))
            time.sleep(self.INTERVAL)


class Run:
    """The seconds, by the clock and of the processor, and the most memory of a process.

    The seconds by the clock are also those of what is synced behind it.

    Sampling the memory takes time of a processor, which a process of several threads would have.
    """

    def __init__(self, command, stdout=None, sync=None, samples=False):
        start = time.monotonic()
        output = open(stdout, "wb") if stdout else subprocess.DEVNULL
        process = subprocess.Popen([str(part) for part in command], stdout=output,
                                   stderr=subprocess.PIPE)
        sampler = MemorySampler(process.pid) if samples and sys.platform == "linux" else None
        messages = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if stdout:
            os.fsync(output.fileno())
            output.close()
        if sync:
            with open(sync, "rb") as file:
                os.fsync(file.fileno())
        self.seconds = time.monotonic() - start
        self.processor = usage.ru_utime + usage.ru_stime
        self.peak_mb = usage.ru_maxrss / (1024 if sys.platform == "linux" else 1024 * 1024)
        self.anonymous_mb = sampler.peak_kb / 1024 if sampler else None
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}: "
                     f"{messages.decode(errors='replace').strip()}")

    def above(self, mapped_mb):
        """The most memory above the mapped file; elsewhere than on Linux a lower bound."""
        if self.anonymous_mb is None:
            return max(0.0, self.peak_mb - mapped_mb)
        return self.anonymous_mb


def median(runs, value="seconds"):
    return statistics.median(getattr(run, value) for run in runs)
