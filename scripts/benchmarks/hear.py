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


def engine_delays(peer, model, count):
    with tempfile.TemporaryDirectory() as place:
        listener = engine(peer, model, "listen", f"{place}/s", count)
        listener.stdout.readline()
        writer = engine(peer, model, "write", f"{place}/s", count + 50)
        numbers = [int(word) for word in listener.stdout.readline().split()]
        writer.wait()
        listener.wait()
    return numbers[10:]


def pace(peer, model, operation, count):
    with tempfile.TemporaryDirectory() as place:
        run = engine(peer, model, operation, f"{place}/s", count)
        return int(run.communicate()[0])


def differences(peer, model, count):
    with tempfile.TemporaryDirectory() as place:
        lines = engine(peer, model, "differences", f"{place}/s", count).communicate()[0].split("\n")
    return [tuple(map(int, line.split())) for line in lines if line]


def sqlite_writer(path, count):
    base = sqlite3.connect(path, isolation_level=None)
    for number in range(count):
        time.sleep(0.002)
        base.execute(
            "insert or replace into mixed values (?, ?)", (number % 1000, time.monotonic_ns()))


def sqlite_delays(count):
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "s.db")
        base = sqlite3.connect(path, isolation_level=None)
        base.execute("pragma journal_mode = wal")
        base.execute("create table mixed (id integer primary key, a integer)")
        writer = multiprocessing.Process(target=sqlite_writer, args=(path, count + 50))
        last, delays = base.execute("pragma data_version").fetchone(), []
        writer.start()
        while len(delays) < count and writer.is_alive():
            time.sleep(0.005)
            now = base.execute("pragma data_version").fetchone()
            if now != last:
                last = now
                delays.append(
                    time.monotonic_ns() - base.execute("select max(a) from mixed").fetchone()[0])
        writer.join()
    return delays[10:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    arguments = parser.parse_args()
    count, rounds = (300, 3) if arguments.quick else (2000, 7)
    ours, theirs, ratios = [], [], []
    for _ in range(rounds):
        ours += engine_delays(arguments.peer, arguments.model, count)
        theirs += sqlite_delays(count)
        alone = pace(arguments.peer, arguments.model, "pace", count)
        ratios.append(pace(arguments.peer, arguments.model, "pace-heard", count) / alone)
    rows = [
        {"work": f"from the begin of a commit to the call of an observer elsewhere, {name}",
         "unit": "ms", "ours": percentile(ours, part) / 1e6,
         "peers": {"SQLite, data_version each 5 ms": percentile(theirs, part) / 1e6}}
        for name, part in [("median", 0.5), ("p99", 0.99)]]
    objects = 100_000 if arguments.quick else 1_000_000
    rows += [
        {"work": f"telling {changed:,} changed of {objects:,} objects", "unit": "ms",
         "ours": time / 1e6, "peers": {}}
        for changed, time in differences(arguments.peer, arguments.model, objects)]
    rows.append({"work": "commits of a store that hears others, to one that does not", "unit": "x",
                 "ours": statistics.median(ratios), "peers": {}})
    if arguments.format == "json":
        print(json.dumps({"rows": rows}, indent=2))
        return
    print("| work | ours | SQLite, `data_version` each 5 ms |\n|---|---|---|")
    for row in rows:
        peers = "".join(f"{value:.2f} {row['unit']}" for value in row["peers"].values())
        print(f"| {row['work']} | {row['ours']:.3g} {row['unit']} | {peers} |")


main()
