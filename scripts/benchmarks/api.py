"""Measures objects of Swift against GRDB, SQLite in C, and the engine underneath. See scripts/bench.

Each operation of each store is a process of its own, which prints what it measured. The stores take
turns within each repetition, in an order that changes. Stores that are read are filled once.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import SEED, Engine, MemorySampler, agree, limit_text

NANOSECONDS = 1e9
# Operations that put 100,000 objects, as ASYNC_PUTS of workload.h.
SMALLER_PUTS = {"put-async", "put-part", "put-drafted", "put-unique", "put-imported", "put-matching", "put-replacing",
                "put-again", "upsert", "upsert-again"}
# The number of objects of an operation, where it is not that of the store; as in workload.h.
COUNTS = {name: lambda _: 100_000 for name in SMALLER_PUTS} | {
    "put-durably": lambda _: 1_000, "resolve": lambda _: 1_000,
    "get-key": lambda count: count // 5, "look-up": lambda count: count // 10,
    "link": lambda count: count // 100,
}
# Operations on other objects than those that they are compared with.
PARTS = SMALLER_PUTS | {"put-durably", "get-key"}


class Work:
    """A row: an operation of ours, those of peers, and the goals.

    A peer is a program with its operation, which works on a store of its own. A goal is a peer with the
    multiple of its time that ours may take, and `extra` nanoseconds.
    """

    def __init__(self, text, operation, peers=None, goals=None, store=None, extra=0,
                 in_processor_time=False):
        self.text = text
        self.operation = operation
        self.peers = peers or {}
        self.goals = goals or {}
        self.store = store
        self.extra = extra
        self.in_processor_time = in_processor_time

    def names(self):
        return [("ours", self.operation), *self.peers.values()]


PUTS = [
    Work("put an array of classes in one transaction", "put-classes",
         {"engine": ("ours", "put-engine-classes"), "sqlite-c": ("sqlite-c", "put-all"),
          "grdb": ("grdb", "put-array"), "grdb cached": ("grdb cached", "put-array")}, {"engine": 1.4}),
    Work("put an array of structs", "put-structs", {"engine": ("ours", "put-engine-structs")},
         {"engine": 1.4}),
    Work("put an array of classes with an embedded struct", "put-embedding",
         {"flat": ("ours", "put-classes")}, {"flat": 1.02}, in_processor_time=True),
    Work("put an array of classes with an observer", "put-observed",
         {"without": ("ours", "put-classes")}, {"without": 1.05}, in_processor_time=True),
    Work("put an array of classes with a ToOne and a ToMany", "put-linked",
         {"without": ("ours", "put-classes")}),
    Work("put objects one by one in one transaction", "put-singly",
         {"as an array": ("ours", "put-classes")}),
    Work("AsyncBox.put of 100,000 objects, one by one", "put-async"),
    Work("put an array of classes beside a monitor of 10,000 others", "put-monitored",
         {"without": ("ours", "put-classes")}, {"without": 1.2}, in_processor_time=True),
    Work("put 100,000 objects into a draft, and commit it", "put-drafted",
         {"put": ("ours", "put-part")}),
    Work("import 100,000 objects with unique numbers", "put-imported",
         {"put": ("ours", "put-unique")}),
    Work("put 100,000 new objects by a unique number", "put-matching",
         {"put": ("ours", "put-unique"), "grdb": ("grdb", "upsert"),
          "grdb cached": ("grdb cached", "upsert")}, {"put": 1.6, "grdb": 1, "grdb cached": 1}),
    Work("replace 100,000 objects by a unique number", "put-replacing",
         {"put with an id": ("ours", "put-again"), "grdb": ("grdb", "upsert-again"),
          "grdb cached": ("grdb cached", "upsert-again")},
         {"put with an id": 1.6, "grdb": 1, "grdb cached": 1}),
    Work("put 1,000 objects, each in a durable transaction", "put-durably",
         {"AsyncBox": ("ours", "put-async")}),
]
READS = [
    Work("all() of classes", "all-classes",
         {"grdb": ("grdb", "all"), "grdb cached": ("grdb cached", "all"), "sqlite-c": ("sqlite-c", "visit")},
         {"grdb cached": 1 / 1.5}, "classes"),
    Work("all() of classes with an embedded struct", "all-embedding", {"flat": ("ours", "all-classes")},
         {"flat": 1.02}, "embedding", in_processor_time=True),
    Work("all() of structs", "all-structs",
         {"grdb": ("grdb", "all"), "grdb cached": ("grdb cached", "all"), "sqlite-c": ("sqlite-c", "visit")},
         {"grdb cached": 1 / 2}, "structs"),
    Work("all() with a ToOne and a ToMany", "all-linked", {"without": ("ours", "all-classes")},
         {"without": 1.6}, "linked"),
    Work("get by id, random, in one read transaction", "get",
         {"engine": ("ours", "get-engine"), "sqlite-c": ("sqlite-c", "get"),
          "grdb cached": ("grdb cached", "get"), "grdb": ("grdb", "get-key")},
         {"grdb cached": 1 / 1.5, "grdb": 1 / 15}, "classes"),
    Work("get by id, random, a transaction each", "get-singles", {"in one": ("ours", "get")},
         {"in one": 1}, "classes", extra=400),
    Work("ten objects by an index: build and find", "look-up",
         {"grdb": ("grdb", "look-up"), "grdb cached": ("grdb cached", "look-up"), "sqlite-c": ("sqlite-c", "look-up")},
         {"grdb cached": 1 / 1.7}, "classes"),
    Work("count of strings that contain three letters", "contains",
         {"sqlite-c": ("sqlite-c", "contains")}, {"sqlite-c": 1.5}, "classes"),
    Work("find half of the objects by a condition without an index", "find", store="classes"),
    Work("first ten sorted by a string", "first-ten", store="classes"),
    Work("sum of a property", "sum", store="classes"),
    Work("find a hundredth by the condition of a link", "link", store="linked"),
    Work("read a ToMany of ten objects", "resolve", store="linked"),
]
# The store that each operation of ours reads, and for each peer's program its own.
STORES = {work.operation: work.store for work in READS} | {"get-engine": "classes"}
# The store, the same objects without a store, and the bytes that each may take besides: 16, of which 8 are
# those of the reference to an object of a class in the array.
MEMORY = {"all-classes": ("classes", "alone-classes", 8),
          "all-structs": ("structs", "alone-structs", 16)}


class Measured:
    """The medians of what each operation took, by (program, operation) and key."""

    def __init__(self, engines, count, repetitions):
        self.engines = engines
        self.count = count
        self.samples = {}
        with harness.scratch("api") as self.parent:
            for store in ("classes", "structs", "embedding", "linked"):
                self.run("ours", f"put-{store}", store)
            for name in ("sqlite-c", "grdb", "grdb cached"):
                self.run(name, "put-all", name)
            for repetition in range(repetitions):
                print(f"{count:,} objects, run {repetition + 1} of {repetitions}", file=sys.stderr)
                self.repeat(repetition)
            self.memory = self.measure_memory()

    def run(self, program, operation, store):
        directory = self.parent / store
        directory.mkdir(exist_ok=True)
        return self.engines[program].run(operation, directory, self.count)

    def repeat(self, repetition):
        turn = 1 if repetition % 2 else -1
        puts = {name for work in PUTS for name in work.names()}
        results = {}
        for program, operation in sorted(puts)[::turn]:
            with tempfile.TemporaryDirectory(dir=self.parent, prefix="put-") as directory:
                results[program, operation] = self.engines[program].run(
                    operation, Path(directory), self.count)
        self.keep(results, PUTS)
        for work in READS:
            results = {}
            for program, operation in work.names()[::turn]:
                store = STORES[operation] if program == "ours" else program
                results[program, operation] = self.run(program, operation, store)
            self.keep(results, [work])

    def keep(self, results, works):
        for name, result in results.items():
            self.samples.setdefault(name, []).append(result)
        for work in works:
            agree(work.text, {name: results[name] for name in work.names()
                              if name[1] not in PARTS})

    def measure_memory(self):
        """The memory of processes at its most, without mapped files, in bytes for each object."""
        def peak(operation, store):
            process = subprocess.Popen(
                [*self.engines["ours"].command, operation, str(self.parent / store),
                 str(self.count), str(SEED)], stdout=subprocess.DEVNULL)
            sampler = MemorySampler(process.pid)
            if process.wait() != 0:
                sys.exit(f"{operation}: status {process.returncode}")
            sampler.join()
            return sampler.peak_kb * 1024

        nothing = peak("nothing", "classes")
        return {operation: (peak(operation, store) - nothing) / self.count
                for works, (store, alone, _) in MEMORY.items() for operation in (works, alone)}

    def each(self, name, key):
        """The median of a key for one object, in nanoseconds."""
        count = COUNTS.get(name[1], lambda count: count)(self.count)
        return statistics.median(s[key] for s in self.samples[name]) / count * NANOSECONDS


def time_row(rows, work, measured):
    def values(key):
        peers = {name: measured.each(peer, key) for name, peer in work.peers.items()}
        return measured.each(("ours", work.operation), key), peers

    ours, peers = values("seconds")
    cpu, cpu_peers = values("cpu")
    mine, others = (cpu, cpu_peers) if work.in_processor_time else (ours, peers)
    holds = all(mine <= limit * others[name] + work.extra for name, limit in work.goals.items())
    goals = [limit_text(name, limit) for name, limit in work.goals.items()]
    if work.extra:
        goals = [f"at most {name} + {work.extra} ns" for name in work.goals]
    if work.in_processor_time:
        goals.append("in processor time")
    rows.add(work.text, "ns", ours, peers, "; ".join(goals), holds, {"ours": cpu, **cpu_peers})


def memory_rows(rows, measured):
    for operation, (_, alone, more) in MEMORY.items():
        ours, objects = measured.memory[operation], measured.memory[alone]
        rows.add(f"memory of all() of {operation.split('-')[1]}, for each object", "bytes", ours,
                 {"the objects in an array": objects}, f"at most {more} bytes more", ours <= objects + more)


def main():
    options = harness.arguments("api", "c-peers", "swift-peers")
    grdb = options.swift_peers / "GRDBPeer"
    engines = {"ours": [options.swift_peers / "APIPeer"], "sqlite-c": [options.c_peers / "sqlite-c"],
               "grdb": [grdb, "records"], "grdb cached": [grdb, "cached"]}
    measured = Measured({name: Engine(name, command) for name, command in engines.items()}, options.count, 3)
    rows = harness.Rows(options, ("ns", "bytes"))
    for work in PUTS + READS:
        time_row(rows, work, measured)
    if sys.platform == "linux":
        memory_rows(rows, measured)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
