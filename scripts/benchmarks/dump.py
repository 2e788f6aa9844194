"""Measures exports, imports and edits against SQLite, DuckDB, sqlite-utils and json-c. See scripts/bench.

Each work of each program is a process of its own, from its start to its end, with a file that is
synced behind it where it writes one. The programs take turns within each repetition.
"""

import math
import os
import resource
import statistics
import subprocess
import sys
import time

import harness
from harness import MODEL, SEED, Run, median

EXPORT_MB_PER_SECOND = 450
MEMORY_MB = 128
JSON_C_LIMIT = 0.75
SQLITE_UTILS_LIMIT = 1 / 10
# Of the time that prepared inserts in C of values in memory take.
DATABASE_LIMIT = 1.2
SET_LIMIT = 1.3
# Of the time of the import of the same objects as lines.
TABLE_LIMIT = 1.2
# Of the time that json-c takes to parse the same file.
INFER_LIMIT = 1.5
PARTS = ["exports", "databases", "imports", "edits", "tables", "inferences", "memory", "growth"]
# Ten times as many objects may take a quarter more than ten times as long, as for models.
GROWTH_LIMIT = 12.5
SHAPES = ("lines", "directory", "document")


class Bench:
    def __init__(self, options, rows, directory):
        self.options = options
        self.add, self.add_seconds = rows.add, rows.add_runs
        self.directory = directory

    def path(self, name):
        return self.directory / name

    def store(self, count):
        path = self.path(f"store-{count}")
        if not path.exists():
            path.mkdir()
            subprocess.run([self.options.engine_peer, "slot", MODEL, "put-all", path, str(count),
                            str(SEED)], check=True, stdout=subprocess.DEVNULL)
        return path

    def export(self, count, shape="lines", name="dump", extra=(), samples=False):
        target = self.path(f"{name}-{count}-{shape}")
        # Giving back the blocks of an earlier file is no part of the work.
        subprocess.run(["rm", "-rf", target], check=True)
        return target, Run([self.options.binary, "export", "--store", self.store(count), "--shape",
                            shape, "--output", target, *extra], samples=samples)

    def plain_lines(self, count):
        """The objects alone, as other programs read them."""
        target, _ = self.export(count, "directory", "plain")
        return target / "Mixed.ndjson"

    # Exports

    def duckdb(self, script):
        return [sys.executable, "-c", "import duckdb, sys; duckdb.connect(sys.argv[1])"
                ".execute(sys.argv[2])", self.path("duck.db"), script]

    def exports(self, count, repetitions):
        lines = self.plain_lines(count)
        database = self.path("peer.sqlite")
        subprocess.run([self.options.c_peers / "fill-sqlite", database, lines], check=True)
        Run(self.duckdb(f"create table mixed as select * from read_ndjson('{lines}')"))
        ours, sqlite, duck, size = [], [], [], 0
        for _ in range(repetitions):
            target, run = self.export(count)
            size = target.stat().st_size
            ours.append(run)
            for name in ("sqlite.json", "duck.json"):
                self.path(name).unlink(missing_ok=True)
            sqlite.append(Run(["sqlite3", "-json", database, "select * from mixed"],
                              stdout=self.path("sqlite.json")))
            written = self.path("duck.json")
            duck.append(Run(self.duckdb(f"copy mixed to '{written}' (format json)"), sync=written))
        self.add_seconds(f"export {count:,} objects as lines, synced",
                         {"ours": ours, "sqlite3 -json": sqlite, "duckdb": duck},
                         "faster than both",
                         lambda seconds, peers: all(seconds < one for one in peers.values()))
        rate = size / 1e6 / median(ours)
        self.add("the same, as a rate", "MB/s", rate, {}, f"at least {EXPORT_MB_PER_SECOND} MB/s",
                 rate >= EXPORT_MB_PER_SECOND)

    def databases(self, count, repetitions):
        """A database of SQLite, against prepared inserts of the same values, which are in memory."""
        lines = self.plain_lines(count)
        ours, peer = [], []
        for _ in range(repetitions):
            for name in ("ours.db", "inserted.db"):
                self.path(name).unlink(missing_ok=True)
            ours.append(Run([self.options.binary, "export", "--store", self.store(count), "--format", "sqlite",
                             "--output", self.path("ours.db")]))
            inserted = subprocess.run([self.options.c_peers / "insert-sqlite", self.path("inserted.db"), lines],
                                      check=True, stdout=subprocess.PIPE)
            peer.append([float(word) for word in inserted.stdout.split()])
        seconds, (inserts, processor) = median(ours), map(statistics.median, zip(*peer))
        self.add(f"export {count:,} objects as a database, verified and synced", "s", seconds,
                 {"inserts in C": inserts}, f"at most {DATABASE_LIMIT}x of inserts",
                 seconds <= DATABASE_LIMIT * inserts,
                 {"ours": median(ours, "processor"), "inserts in C": processor})

    def export_memory(self, count):
        mapped = (self.store(count) / "data.mdb").stat().st_size / 1e6
        for shape in SHAPES:
            _, run = self.export(count, shape, samples=True)
            above = run.above(mapped)
            self.add(f"memory above the map: export {count:,} objects, {shape}", "MB", above, {},
                     f"at most {MEMORY_MB} MB", above <= MEMORY_MB)

    # Imports

    def import_lines(self, source, samples=False):
        target = self.path("imported")
        subprocess.run(["rm", "-rf", target], check=True)
        return Run([self.options.binary, "import", "--store", target, source], samples=samples)

    def imports(self, count, repetitions):
        source, _ = self.export(count)
        lines = self.plain_lines(count)
        ours, json_c, utils, duck = [], [], [], []
        for repetition in range(repetitions):
            ours.append(self.import_lines(source))
            json_c.append(Run([self.options.c_peers / "json-c-lines", source]))
            for name in ("utils.sqlite", "duck-in.db"):
                self.path(name).unlink(missing_ok=True)
            if repetition == 0:
                # It takes a minute.
                utils.append(Run([sys.executable, "-m", "sqlite_utils", "insert",
                                  self.path("utils.sqlite"), "mixed", lines, "--nl", "--pk", "id"]))
            duck.append(Run([sys.executable, "-c", "import duckdb, sys; duckdb.connect(sys.argv[1])"
                             ".execute(sys.argv[2])", self.path("duck-in.db"),
                             f"create table mixed as select * from read_ndjson('{lines}')"]))
        self.add_seconds(
            f"import {count:,} objects of lines into an empty store with one index",
            {"ours": ours, "json-c": json_c, "sqlite-utils": utils, "duckdb": duck},
            f"at most {JSON_C_LIMIT}x json-c; 10 times faster than sqlite-utils",
            lambda seconds, peers: seconds <= JSON_C_LIMIT * peers["json-c"]
            and seconds <= SQLITE_UTILS_LIMIT * peers["sqlite-utils"])

    def import_tables(self, count, repetitions):
        lines = self.plain_lines(count)
        table, _ = self.export(count, name="table", extra=("--format", "csv"))
        runs = {"ours": [], "the same objects as lines": []}
        for _ in range(repetitions):
            for source, form, name in ((table, "csv", "ours"),
                                       (lines, "json", "the same objects as lines")):
                target = self.path("imported")
                subprocess.run(["rm", "-rf", target], check=True)
                runs[name].append(Run([self.options.binary, "import", "--store", target, "--model",
                                       MODEL, "--entity", "Mixed", "--input-format", form, source]))
        self.add_seconds(f"import {count:,} objects of CSV into an empty store", runs,
                         f"at most {TABLE_LIMIT}x of lines",
                         lambda seconds, peers: all(seconds <= TABLE_LIMIT * one
                                                    for one in peers.values()))

    def inferences(self, count, repetitions):
        """A model of lines, against a parser that reads them."""
        lines = self.plain_lines(count)
        runs = harness.in_turn({"ours": [self.options.binary, "model", "infer", lines],
                                "json-c": [self.options.c_peers / "json-c-lines", lines]}, repetitions)
        self.add_seconds(f"infer a model of {count:,} objects of lines", runs,
                         f"at most {INFER_LIMIT}x of parsing them",
                         lambda seconds, peers: seconds <= INFER_LIMIT * peers["json-c"])

    def import_memory(self, count):
        for shape in SHAPES:
            source, _ = self.export(count, shape)
            run = self.import_lines(source, samples=True)
            mapped = (self.path("imported") / "data.mdb").stat().st_size / 1e6
            above = run.above(mapped)
            self.add(f"memory above the map: import {count:,} objects, {shape}", "MB", above, {},
                     f"at most {MEMORY_MB} MB", above <= MEMORY_MB)

    # Edits

    def edits(self, count, repetitions):
        """A new value for every object, against the engine's rewrite of all of them."""
        target = self.path("edited")
        programs = {
            "ours": [self.options.binary, "store", "set", target, "Mixed", "--all", "--yes", "a=7"],
            "engine": [self.options.engine_peer, "slot", MODEL, "rewrite-all", target, str(count),
                       str(SEED)],
        }
        runs = {name: [] for name in programs}
        for repetition in range(repetitions):
            for name in (programs if repetition % 2 else reversed(programs)):
                subprocess.run(["rm", "-rf", target], check=True)
                subprocess.run(["cp", "-R", self.store(count), target], check=True)
                os.sync()
                runs[name].append(Run(programs[name]))
        self.add_seconds(f"set a property of {count:,} objects", runs,
                         f"at most {SET_LIMIT}x the engine's rewrite",
                         lambda seconds, peers: seconds <= SET_LIMIT * peers["engine"])

    # Growth

    def growth(self, counts):
        times = {"export": [], "import": []}
        written = {"export": [], "import": []}
        for count in counts:
            runs = [self.export(count)[1] for _ in range(3)]
            times["export"].append(min(run.seconds for run in runs))
            source, _ = self.export(count)
            written["export"].append(self.written(source.stat().st_size))
            times["import"].append(min(self.import_lines(source).seconds
                                       for _ in range(3)))
            data = self.path("imported") / "data.mdb"
            written["import"].append(self.written(data.stat().st_size))
        for work, seconds in times.items():
            for index in range(1, len(counts)):
                factor = seconds[index] / seconds[index - 1]
                disk = written[work][index] / written[work][index - 1]
                self.add(f"{work}: {counts[index]:,} objects over {counts[index - 1]:,}", "times",
                         factor, {"as many bytes, written and synced": disk},
                         f"at most {GROWTH_LIMIT:g}, or what the disk grows by",
                         factor <= max(GROWTH_LIMIT, disk))

    def written(self, size):
        """The least seconds in which so many bytes are written to a file and synced."""
        block = bytes(1 << 20)
        best = math.inf
        for _ in range(3):
            target = self.path("written")
            start = time.monotonic()
            with open(target, "wb") as file:
                for _ in range(size // len(block)):
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
            best = min(best, time.monotonic() - start)
            target.unlink()
        return best


def main():
    options = harness.arguments(
        "dump", "binary", "engine-peer", "c-peers", more=lambda parser: parser.add_argument(
            "--only", type=lambda text: text.split(","), default=PARTS, help="the parts to measure: " + ",".join(PARTS)))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    rows = harness.Rows(options, ("s",))
    with harness.scratch("dumps") as directory:
        bench = Bench(options, rows, directory)
        timed = {"exports": bench.exports, "databases": bench.databases, "imports": bench.imports, "edits": bench.edits,
                 "tables": bench.import_tables, "inferences": bench.inferences}
        for part, measure in timed.items():
            if part in options.only:
                measure(options.count, 3 if options.quick else 5)
        if "memory" in options.only:
            for size in [options.count] if options.quick else [options.count, 10 * options.count]:
                bench.export_memory(size)
                bench.import_memory(size)
        if "growth" in options.only and not options.quick:
            bench.growth([100_000, 1_000_000, 10_000_000])
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
