"""What benchmarks share: rows of a work, what we need for it, what others need and a goal; their table; and
processes that are measured, in turn."""

import argparse
import contextlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build-bench"
MODEL = ROOT / "scripts/benchmarks/store/model.json"
SEED = 20261121


def arguments(name, *programs, more=None):
    """The options of a benchmark, with the paths of programs, such as "binary". `more` adds options to the parser."""
    parser = argparse.ArgumentParser(prog=f"scripts/bench {name}")
    for program in programs:
        parser.add_argument(f"--{program}", required=True, type=lambda text: Path(text).absolute())
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    if more:
        more(parser)
    options = parser.parse_args()
    options.count = 100_000 if options.quick else 1_000_000
    if os.getloadavg()[0] > 0.5:
        print("the machine is busy with something else: what is printed means little", file=sys.stderr)
    return options


@contextlib.contextmanager
def scratch(prefix):
    """A directory that is removed, and not where temporary files go: that may be memory."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix=prefix + "-") as directory:
        yield Path(directory)


def rounded(value, digits=3):
    """Three significant digits, without an exponent; a count as it is."""
    return value if isinstance(value, int) else float(f"{value:.{digits}g}") if value < 1000 else round(value)


def limit_text(name, limit):
    return f"at most {limit:g}x {name}" if limit >= 1 else f"{1 / limit:g} times faster than {name}"


class Rows:
    """The rows that a benchmark found. In rows of the units `ratios`, the table has ours as a multiple of each peer."""

    def __init__(self, options, ratios=()):
        self.options, self.ratios, self.found = options, ratios, []

    def add(self, work, unit, ours, peers, goal, holds, processor=None, digits=3):
        """Adds a row. The processor time, of user and system, has the unit of the row and is by name, with
        "ours" among the names; it scatters less than the time by the clock."""
        def all_rounded(values):
            return {name: rounded(value) for name, value in values.items()}

        self.found.append({
            "work": work, "unit": unit, "ours": rounded(ours, digits),
            "peers": all_rounded(peers), "processor": all_rounded(processor or {}), "goal": goal, "holds": holds})

    def add_runs(self, work, runs, goal, holds, unit="s"):
        """Adds a row of the medians of runs of each program by its name, ours among them. `holds` is called with our
        time by the clock and those of the peers by name."""
        factor = 1000 if unit == "ms" else 1
        seconds, processor = ({name: factor * median(of, value) for name, of in runs.items()}
                              for value in ("seconds", "processor"))
        ours = seconds.pop("ours")
        self.add(work, unit, ours, seconds, goal, holds(ours, seconds), processor)

    def report(self):
        """Prints the rows; returns the exit status."""
        print(json.dumps({"ratios": list(self.ratios), "rows": self.found}, indent=1, ensure_ascii=False)
              if self.options.format == "json" else table(self.found, self.ratios))
        return 0 if all(one["holds"] for one in self.found) else 1


def table(rows, ratios=()):
    """A table in Markdown, without columns that are empty in every row."""
    def cells(one):
        def compared(ours, values):
            return ", ".join(
                f"{name}: {value}" + (f" ({ours / value:.2f}x)" if name != "ours" and one["unit"] in ratios and value else "")
                for name, value in values.items())
        processor = one["processor"]
        return [one["work"], one["unit"], one["ours"], compared(one["ours"], one["peers"]),
                compared(processor.get("ours"), processor), one["goal"], "yes" if one["holds"] else "no"]

    heads = ["work", "unit", "ours", "peers", "processor time", "goal", "holds"]
    lines = [[str(cell) for cell in cells(one)] for one in rows]
    shown = [at for at, head in enumerate(heads)
             if head not in ("peers", "processor time") or any(line[at] for line in lines)]
    return "\n".join(["| " + " | ".join(heads[at] for at in shown) + " |", "|" + "---|" * len(shown)]
                     + ["| " + " | ".join(line[at] for at in shown) + " |" for line in lines])


def anonymous_kb(pid):
    """The memory of a process that is not a mapped file, as Linux counts it; 0 for a process that has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))


class MemorySampler(threading.Thread):
    """The most memory of a process that is not a mapped file."""

    INTERVAL = 0.002

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid = pid
        self.peak_kb = 0
        self.start()

    def run(self):
        # A process that has ended has none, also before it was waited for.
        while kilobytes := anonymous_kb(self.pid):
            self.peak_kb = max(self.peak_kb, kilobytes)
            time.sleep(self.INTERVAL)


class Timed:
    """The seconds of a block, by the clock and, as `processor`, of the processes that ended in it."""

    def __enter__(self):
        self.start = self.now()
        return self

    def __exit__(self, *_):
        self.seconds, self.processor = (end - start for end, start in zip(self.now(), self.start))

    @staticmethod
    def now():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.perf_counter(), usage.ru_utime + usage.ru_stime


class Run:
    """The seconds, by the clock and of the processor, and the most memory of a process.

    The seconds by the clock are also those of what is synced behind it. Sampling the memory takes time of a
    processor, which a process of several threads would have.
    """

    def __init__(self, command, stdout=None, sync=None, samples=False, check=True):
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
        if check and process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}: "
                     f"{messages.decode(errors='replace').strip()}")

    def above(self, mapped_mb):
        """The most memory above the mapped file; elsewhere than on Linux a lower bound."""
        if self.anonymous_mb is None:
            return max(0.0, self.peak_mb - mapped_mb)
        return self.anonymous_mb


def in_turn(commands, repetitions, **options):
    """The runs of commands by their names, in turn, so that whatever else the machine does falls on all of them."""
    runs = {name: [] for name in commands}
    for _ in range(repetitions):
        for name, command in commands.items():
            runs[name].append(Run(command, **options))
    return runs


def median(runs, value="seconds"):
    return statistics.median(getattr(run, value) for run in runs)


class Engine:
    """A program that runs an operation on a store and prints what it took: PROGRAM... OPERATION DIRECTORY COUNT SEED."""

    def __init__(self, name, command, operations=None, repetitions=sys.maxsize):
        self.name, self.command = name, [str(part) for part in command]
        self.operations, self.repetitions = operations, repetitions

    def run(self, operation, directory, count):
        done = subprocess.run([*self.command, operation, str(directory), str(count), str(SEED)],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{self.name} {operation}: status {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)


def agree(what, results):
    """Ends the program if the engines did not read or write the same objects."""
    sums = {name: (result["objects"], result["checksum"]) for name, result in results.items()}
    if len(set(sums.values())) > 1:
        sys.exit(f"{what}: the stores disagree: {sums}")
