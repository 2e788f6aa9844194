"""Measures how soon a process hears of another one's commits, and what that costs the writer."""

import argparse
import json
import multiprocessing
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time


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
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    arguments = parser.parse_args()
    count, rounds = (300, 3) if arguments.quick else (2000, 7)
    ours, theirs, own, elsewhere = [], [], [], []
    for _ in range(rounds):
        ours += engine_delays(arguments.peer, arguments.model, count)
        theirs += sqlite_delays(count)
        alone = pace(arguments.peer, arguments.model, "pace", count)
        own.append(pace(arguments.peer, arguments.model, "pace-heard", count) / alone)
        elsewhere.append(pace(arguments.peer, arguments.model, "pace", count, True) / alone)
    rows = [
        {"work": f"from the end of a commit to the call of an observer elsewhere, {name}",
         "unit": "ms", "ours": percentile(ours, part) / 1e6,
         "peers": {"SQLite, data_version each 5 ms": percentile(theirs, part) / 1e6}}
        for name, part in [("median", 0.5), ("p99", 0.99)]]
    objects = 100_000 if arguments.quick else 1_000_000
    for observers, changed, duration in differences(arguments.peer, arguments.model, objects):
        who = "one observer" if observers == 1 else f"{observers:,} observers"
        rows.append({"work": f"telling {who} {changed:,} changed of {objects:,} objects",
                     "unit": "ms", "ours": duration / 1e6, "peers": {}})
    for work, ratios in [("commits beside a process that listens", elsewhere),
                         ("commits of a store that hears others", own)]:
        rows.append({"work": work + ", to commits without", "unit": "x",
                     "ours": statistics.median(ratios), "peers": {}})
    if arguments.format == "json":
        print(json.dumps({"rows": rows}, indent=2))
        return
    print("| work | ours | SQLite, `data_version` each 5 ms |\n|---|---|---|")
    for row in rows:
        peers = "".join(f"{value:.2f} {row['unit']}" for value in row["peers"].values())
        print(f"| {row['work']} | {row['ours']:.3g} {row['unit']} | {peers} |")


main()
