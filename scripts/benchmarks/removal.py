"""Measures the removal of ten orders with all their lines: by a delete rule, by ids, and in SQLite."""

import sqlite3
import statistics
import subprocess
import sys
import time

import harness


BYTES = 64


def engine(peer, operation, count):
    """The seconds, and the most bytes of memory beside the file that the removal took for each object."""
    with harness.scratch("removal") as place:
        run = subprocess.Popen(
            [peer, "removal", harness.MODEL, operation, place / "s", str(count), "1"],
            stdout=subprocess.PIPE, text=True)
        run.stdout.readline()
        before = harness.anonymous_kb(run.pid)
        memory = harness.MemorySampler(run.pid)
        seconds = int(run.stdout.readline()) / 1e9
        if run.wait() != 0:
            sys.exit("the removal failed")
        memory.join()
    return seconds, max(memory.peak_kb - before, 0) * 1024 / count


def sqlite(count):
    with harness.scratch("removal") as place:
        base = sqlite3.connect(place / "s.db", isolation_level=None)
        base.execute("pragma journal_mode = wal")
        base.execute("pragma synchronous = full")
        base.execute("pragma foreign_keys = on")
        base.execute("create table orders (id integer primary key)")
        base.execute("create table lines (id integer primary key, amount integer,"
                     " orderId integer references orders (id) on delete cascade)")
        base.execute("create index linesByOrder on lines (orderId)")
        base.execute("begin")
        base.executemany("insert into orders values (?)", [(number + 1,) for number in range(10)])
        base.executemany("insert into lines values (?, ?, ?)",
                         ((number + 1, number, number % 10 + 1) for number in range(count)))
        base.execute("commit")
        start = time.monotonic()
        base.execute("delete from orders")
        return time.monotonic() - start


def main():
    arguments = harness.arguments("removal", "peer")
    rows = harness.Rows(arguments)
    times, memory = {"cascade": [], "ids": [], "SQLite": []}, []
    for _ in range(3 if arguments.quick else 7):
        for operation in ("cascade", "ids"):
            seconds, size = engine(arguments.peer, operation, arguments.count)
            times[operation].append(seconds)
            if operation == "cascade":
                memory.append(size)
        times["SQLite"].append(sqlite(arguments.count))
    ours, ids, theirs = (statistics.median(times[name]) for name in ("cascade", "ids", "SQLite"))
    rows.add(f"removing 10 orders with {arguments.count:,} lines by a cascade", "s", ours,
             {"the same objects by their ids": ids, "SQLite, `on delete cascade`": theirs},
             "at most 1x ids, 0.5x SQLite", ours <= ids and ours <= theirs / 2)
    if sys.platform == "linux":
        size = statistics.median(memory)
        rows.add("memory of this cascade beside the file, for each object", "bytes", size, {}, f"at most {BYTES}",
                 size <= BYTES)
    sys.exit(rows.report())


main()
