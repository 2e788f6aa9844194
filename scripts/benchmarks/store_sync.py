"""Measures what the capture of changes for data sync costs the writers of a store. See scripts/bench."""

import os
import statistics
import subprocess
import sys

import harness
from harness import ROOT

TEST = ["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ".build-test",
        "--skip-build", "--disable-xctest", "--filter", "BoxEngineTests.CaptureSpeedTests"]
RUNS = 5
OPENING_MS = 5
# Multiples of the same work in a store that is not switched on.
LIMITS = {"put of an array": 1.5, "durable single put": 1.2, "rewrite": 3, "put of an entity that is not captured": 1.02}


def figures(count):
    """What the test writes, each figure in all runs."""
    found = {}
    for run in range(RUNS):
        print(f"{count:,} objects, run {run + 1} of {RUNS}", file=sys.stderr)
        with harness.scratch("capture") as directory:
            file = directory / "figures"
            subprocess.run(TEST, cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                           env={**os.environ, "BOXJOINT_MEASURED": str(file), "BOXJOINT_CAPTURED": str(count),
                                "TMPDIR": str(directory)})
            for line in file.read_text(encoding="utf-8").splitlines():
                name, value = line.split("\t")
                found.setdefault(name, []).append(float(value))
    return {name: statistics.median(values) for name, values in found.items()}


def main():
    options = harness.arguments("store --sync")
    rows = harness.Rows(options, ("s",))
    found = figures(options.count)
    for name, limit in LIMITS.items():
        ours, without = found[f"{name} with"], found[f"{name} without"]
        rows.add(name, "s", ours, {"not switched on": without}, harness.limit_text("not switched on", limit),
                 ours <= limit * without)
    rows.add(f"opening with {2 * options.count:,} pending operations", "ms", found["opening"], {},
             f"at most {OPENING_MS}", found["opening"] <= OPENING_MS)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
