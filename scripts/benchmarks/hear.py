"""Measures how soon a process hears of another one's commits, and what that costs the writer."""

import multiprocessing
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import harness


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))]


def engine(peer, model, operation, directory, count, **options):
    arguments = [peer, "hear", model, operation, directory, str(count), "1"]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **options)


def numbers(process):
    return [int(word) for word in process.communicate()[0].split()]


def engine_delays(peer, model, count):
    """The nanoseconds from the return of each commit to the call of an observer in another process."""
    with tempfile.TemporaryDirectory() as place:
        listener = engine(peer, model, "listen", f"{place}/s", count)
        listener.stdout.readline()
        returned = numbers(engine(peer, model, "write", f"{place}/s", count))
        told = numbers(listener)
    return [max(0, told[x] - returned[x]) for x in range(10, count) if told[x]]


def pace(peer, model, operation, count, listens=False):
    """The nanoseconds of a commit, with a process that listens meanwhile or without."""
    with tempfile.TemporaryDirectory() as place:
        if listens:
            listener = engine(peer, model, "listen", f"{place}/s", count)
            listener.stdout.readline()
        time = numbers(engine(peer, model, operation, f"{place}/s", count))[0]
        if listens:
            listener.communicate()
    return time


def differences(peer, model, count):
    with tempfile.TemporaryDirectory() as place:
        lines = engine(peer, model, "differences", f"{place}/s", count).communicate()[0].split("\n")
    return [tuple(map(int, line.split())) for line in lines if line]


def sqlite_writer(path, count, queue):
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("pragma synchronous = full")
    returned = []
    for number in range(count):
        time.sleep(0.002)
        base.execute("insert or replace into mixed values (?, ?)", (number % 1000, number))
        returned.append(time.monotonic_ns())
    queue.put(returned)


def sqlite_delays(count):
    """The same for a process that asks every five milliseconds whether something has changed."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "s.db")
        base = sqlite3.connect(path, isolation_level=None)
        base.execute("pragma journal_mode = wal")
        base.execute("create table mixed (id integer primary key, a integer)")
        queue = multiprocessing.Queue()
        writer = multiprocessing.Process(target=sqlite_writer, args=(path, count, queue))
        version, told, seen = base.execute("pragma data_version").fetchone(), [0] * count, -1
        writer.start()
        while seen < count - 1:
            time.sleep(0.005)
            now = base.execute("pragma data_version").fetchone()
            if now != version:
                version = now
                newest = base.execute("select max(a) from mixed").fetchone()[0]
                for number in range(seen + 1, newest + 1):
                    told[number] = time.monotonic_ns()
                seen = newest
        returned = queue.get()
        writer.join()
    return [max(0, told[x] - returned[x]) for x in range(10, count)]


def main():
    arguments = harness.arguments("hear", "peer")
    rows = harness.Rows(arguments)
    count, rounds = (300, 3) if arguments.quick else (2000, 7)
    objects = arguments.count
    ours, theirs, own, elsewhere = [], [], [], []
    for _ in range(rounds):
        ours += engine_delays(arguments.peer, harness.MODEL, count)
        theirs += sqlite_delays(count)
        alone = pace(arguments.peer, harness.MODEL, "pace", count)
        own.append(pace(arguments.peer, harness.MODEL, "pace-heard", count) / alone)
        elsewhere.append(pace(arguments.peer, harness.MODEL, "pace", count, True) / alone)
    for name, part, most in [("median", 0.5, None), ("p99", 0.99, 5)]:
        delay, peer = (round(percentile(values, part) / 1e6, 2) for values in (ours, theirs))
        rows.add(
            f"from the end of a commit to an observer in another process, {name}", "ms", delay,
            {"SQLite, `data_version` each 5 ms": peer}, f"under {most}" if most else "", not most or delay < most)
    for observers, changed, duration in differences(arguments.peer, harness.MODEL, objects):
        who = "one observer" if observers == 1 else f"{observers:,} observers"
        goal, holds, took = "", True, round(duration / 1e6, 3)
        # Each changed object has a page of its own, and the old one is read beside the new one.
        if observers == 1 and changed >= 1000:
            goal, holds = "at most 3 us a page, old and new", took <= 0.003 * 2 * changed
        rows.add(
            f"{changed:,} changed of {objects:,} objects, told to {who}", "ms", took, {}, goal, holds)
    for work, ratios, most in [("commits beside a process that listens", elsewhere, 1.01),
                               ("commits of a store that listens itself", own, None)]:
        ratio = round(statistics.median(ratios), 3)
        rows.add(f"{work}, to commits without", "x", ratio, {},
                              f"at most {most}" if most else "", not most or ratio <= most, digits=4)
    sys.exit(rows.report())


main()
