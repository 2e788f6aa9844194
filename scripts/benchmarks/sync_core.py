"""Measures the core of data sync, without a network and a store on disk. See scripts/bench."""

import os
import subprocess
import sys

import harness
from harness import ROOT, Timed

TESTS = ["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ".build-test",
         "--skip-build", "--disable-xctest", "--filter"]
RUNS = 5
UPDATE_BYTES, INSERT_BYTES = 18, 90
SEED_MS = 15
OPERATIONS = 150_000


def run(tests, **variables):
    with Timed() as timed:
        subprocess.run([*TESTS, tests], cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, **{name: str(value) for name, value in variables.items()}})
    return timed.seconds


def figures(count):
    """What the tests write, each figure in all runs."""
    found = {}
    for _ in range(RUNS):
        with harness.scratch("sync-core") as directory:
            file = directory / "figures"
            run(r"BoxSyncTests\.(CoreSpeed|MessageSize)Tests", BOXJOINT_MEASURED=file, BOXJOINT_SYNC_OPERATIONS=count)
            for line in file.read_text(encoding="utf-8").splitlines():
                name, value = line.split("\t")
                found.setdefault(name, []).append(float(value))
    return {name: sorted(values)[len(values) // 2] for name, values in found.items()}


def main():
    options = harness.arguments("sync-core")
    rows = harness.Rows(options)
    count = options.count // 10
    found = figures(count)
    for work, name in [("inserts resolved, in batches of 1,000", "resolved a second"),
                       ("inserts applied by a client", "applied a second")]:
        rows.add(f"{count:,} {work}", "1/s", found[name], {}, f"at least {OPERATIONS:,}", found[name] >= OPERATIONS)
    for name, limit in [("update of an Int", UPDATE_BYTES), ("insert of an object of bench store", INSERT_BYTES)]:
        rows.add(f"{name}, in a message of 100", "bytes", found[name], {}, f"at most {limit}", found[name] <= limit)
    seeds = 500 if options.quick else 2_000
    simulation = r"SyncSimulation\.SimulationTests/.*Every.seed"
    start = run(simulation, BOXJOINT_SOAK_SYNC_SEEDS=1, BOXJOINT_SOAK_SYNC_STORES=0)
    each = 1000 * (run(simulation, BOXJOINT_SOAK_SYNC_SEEDS=seeds + 1, BOXJOINT_SOAK_SYNC_STORES=0) - start) / seeds
    rows.add(f"a seed of the simulation, of {seeds:,}", "ms", each, {}, f"at most {SEED_MS}", each <= SEED_MS)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
