"""Measures the removal of ten orders with all their lines: by a delete rule, by ids, and in SQLite."""

import sqlite3
import statistics
import subprocess
import sys
import time

import harness


def engine(peer, operation, count):
    with harness.scratch("removal") as place:
        run = subprocess.run(
            [peer, "removal", harness.MODEL, operation, place / "s", str(count), "1"],
            stdout=subprocess.PIPE, text=True, check=True)
    return int(run.stdout) / 1e9


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
    times = {"cascade": [], "ids": [], "SQLite": []}
    for _ in range(3 if arguments.quick else 7):
        for operation in ("cascade", "ids"):
            times[operation].append(engine(arguments.peer, operation, arguments.count))
        times["SQLite"].append(sqlite(arguments.count))
    ours, ids, theirs = (statistics.median(times[name]) for name in ("cascade", "ids", "SQLite"))
    rows.add(f"removing 10 orders with {arguments.count:,} lines by a cascade", "s", ours,
             {"the same objects by their ids": ids, "SQLite, `on delete cascade`": theirs},
             "at most 1x ids, 0.5x SQLite", ours <= ids and ours <= theirs / 2)
    sys.exit(rows.report())


main()
