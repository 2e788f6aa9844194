"""Measures the engine against LMDB, SQLite and GRDB. See scripts/bench.

Each operation of each store is a process of its own, which prints what it measured. The stores take
turns within each repetition, in an order that changes, so that whatever else the machine does falls
on all of them.
"""

import statistics
import sys

import harness
from harness import MODEL, Engine, agree, limit_text

MEMORY_MB = 64
DYNAMIC_LIMIT = 2.5
SCALE_LIMIT = 1.2

# In this order, on one store; but "put-batches" fills a store of its own. The limits are multiples
# of what a peer needs, for a million objects, by the clock; those of PROCESSOR in processor time,
# which scatters less.
OPERATIONS = {
    "put-all": ("put all in one transaction, with the index",
                {"lmdb-c": 1.5, "sqlite-c": 1 / 3, "grdb cached": 1 / 4}),
    "get": ("get by id, random, in one read transaction", {"lmdb-c": 1.2}),
    "get-singles": ("get by id, random, in a read transaction of its own", {"sqlite-c": 1}),
    "read-nothing": ("empty read transaction", {}),
    "visit": ("visit all, reading every field", {"sqlite-c": 1 / 2}),
    "look-up": ("look up by index, 10 objects each", {}),
    "rewrite-all": ("read and rewrite all, in one transaction", {}),
    "rewrite-batches": ("read and rewrite all, in transactions of 10,000", {}),
    "put-singles": ("1,000 durable single puts", {"lmdb-c": 1.1}),
    "remove-all": ("remove all", {"lmdb-c": 1.5}),
    "put-batches": ("put in transactions of 10,000", {"lmdb-c": 1.3}),
}
PROCESSOR = {"visit": 1.3, "look-up": 1.2, "rewrite-all": 1.7, "rewrite-batches": 1.7}
# In SQLite a transaction that reads nothing does not begin.
LMDB_ONLY = ("read-nothing",)
NOTHING_LIMIT = 0.4e-6
WRITING = {"put-all", "rewrite-all", "rewrite-batches", "put-singles", "remove-all", "put-batches"}
DYNAMIC = ("put-all", "get", "visit")


class Measured:
    """The medians of what some engines needed for a number of objects."""

    def __init__(self, engines, count, repetitions):
        self.samples = {}
        self.count = count
        for repetition in range(repetitions):
            print(f"{count:,} objects, run {repetition + 1} of {repetitions}", file=sys.stderr)
            with harness.scratch("stores") as directory:
                taking_part = [e for e in engines if repetition < e.repetitions]
                self.repeat(taking_part[::-1] if repetition % 2 else taking_part, count,
                            directory, check=repetition == 0)

    def repeat(self, engines, count, parent, check):
        directories = {engine.name: parent / engine.name for engine in engines}
        for operation in OPERATIONS:
            results, contents = {}, {}
            for engine in engines:
                if engine.operations and operation not in engine.operations:
                    continue
                directory = directories[engine.name]
                if operation == "put-batches":
                    directory = directory.with_name(engine.name + "-batches")
                directory.mkdir(exist_ok=True)
                results[engine.name] = engine.run(operation, directory, count)
                if check and operation in WRITING:
                    contents[engine.name] = engine.run("visit", directory, count)
            for name, result in results.items():
                self.samples.setdefault((name, operation), []).append(result)
            agree(operation, results)
            agree(f"visit after {operation}", contents)

    def median(self, engine, operation, key="seconds"):
        samples = self.samples.get((engine, operation))
        return statistics.median(s[key] for s in samples) if samples else None

    def peers(self, operation, key="seconds"):
        names = ("lmdb-c", "sqlite-c", "grdb", "grdb cached")
        return {name: self.median(name, operation, key) for name in names
                if (name, operation) in self.samples}

    def ratio(self, operation):
        return self.median("ours", operation) / self.median("lmdb-c", operation)


def time_rows(rows, measured):
    for operation, (work, limits) in OPERATIONS.items():
        ours, peers = measured.median("ours", operation), measured.peers(operation)
        processor = {"ours": measured.median("ours", operation, "cpu"),
                     **measured.peers(operation, "cpu")}
        holds = all(ours <= limit * peers[name] for name, limit in limits.items())
        goals = [limit_text(name, limit) for name, limit in limits.items()]
        if operation in PROCESSOR:
            limit = PROCESSOR[operation]
            holds = holds and processor["ours"] <= limit * processor["lmdb-c"]
            goals.append(f"{limit_text('lmdb-c', limit)} in processor time")
        if operation == "read-nothing":
            holds = holds and processor["ours"] <= NOTHING_LIMIT * measured.count
            goals.append(f"at most {NOTHING_LIMIT * 1e6:g} us of processor time each")
        rows.add(work, "s", ours, peers, "; ".join(goals), holds, processor)
        if operation == "put-all":
            key = "cpu_before_commit"
            rows.add(f"{work}: CPU time without the commit", "s",
                                  measured.median("ours", operation, key),
                                  measured.peers(operation, key), "", True)


def dynamic_rows(rows, measured):
    for operation in DYNAMIC:
        ours, slot = measured.median("dynamic", operation), measured.median("ours", operation)
        rows.add(f"with dynamic objects: {OPERATIONS[operation][0]}", "s", ours,
                              {"by slot": slot}, limit_text("by slot", DYNAMIC_LIMIT),
                              ours <= DYNAMIC_LIMIT * slot,
                              {"ours": measured.median("dynamic", operation, "cpu"),
                               "by slot": measured.median("ours", operation, "cpu")})


def memory_rows(rows, measured):
    for operation, (work, _) in OPERATIONS.items():
        ours = measured.median("ours", operation, "peak_mb")
        peers = measured.peers(operation, "peak_mb")
        rows.add(f"peak memory: {work}", "MB", ours, peers,
                              f"at most lmdb-c + {MEMORY_MB} MB",
                              ours <= peers["lmdb-c"] + MEMORY_MB)


def scale_rows(rows, small, large):
    for operation, (work, _) in OPERATIONS.items():
        before, after = small.ratio(operation), large.ratio(operation)
        rows.add(f"ours over lmdb-c, 10,000,000 objects: {work}", "times", after,
                              {"100,000 objects": before},
                              limit_text("100,000 objects", SCALE_LIMIT),
                              after <= SCALE_LIMIT * before)


def main():
    options = harness.arguments("store", "c-peers", "swift-peers")
    engine, peer = options.swift_peers / "EnginePeer", options.swift_peers / "GRDBPeer"
    ours = Engine("ours", [engine, "slot", MODEL])
    dynamic = Engine("dynamic", [engine, "dynamic", MODEL], DYNAMIC)
    lmdb = Engine("lmdb-c", [options.c_peers / "lmdb-c"])
    others = tuple(name for name in OPERATIONS if name not in LMDB_ONLY)
    sqlite = Engine("sqlite-c", [options.c_peers / "sqlite-c"], others)
    # Its usual way, and cached statements whose rows are decoded by position, the fastest that it documents.
    # Three, because a single get takes it so long.
    grdb = [Engine("grdb", [peer, "records"], others, repetitions=3), Engine("grdb cached", [peer, "cached"], others)]
    measured = Measured([ours, lmdb, sqlite, *grdb, dynamic], options.count, 5)
    rows = harness.Rows(options, ("s", "times"))
    time_rows(rows, measured)
    dynamic_rows(rows, measured)
    memory_rows(rows, measured)
    if not options.quick:
        scale_rows(rows, Measured([ours, lmdb], 100_000, 9), Measured([ours, lmdb], 10_000_000, 3))
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
