#!/usr/bin/env python3
"""Measures graphs beside a store, hnswlib, a scan in C and sqlite-vec, and prints a table."""

import json
import pathlib
import subprocess
import sys
import time

import harness

try:
    # The module of Python itself is often built without extensions.
    import pysqlite3 as sqlite3
except ImportError:
    import sqlite3

SETS = {"sentences": (384, "Cosine"), "clustered": (128, "Euclidean"), "gaussian": (128, "Euclidean")}


def numbers(*command):
    """The lines of a program: a name, a tab and a number."""
    output = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    lines = (line.split("\t") for line in output.stdout.splitlines())
    return {name: float(number) for name, number in lines}


def sqlite_vec(directory, name, dimensions, distance):
    """A look at all vectors by an extension of SQLite, in one table."""
    try:
        import numpy
        import sqlite_vec as extension
        database = sqlite3.connect(":memory:")
        database.enable_load_extension(True)
        extension.load(database)
    except (ImportError, AttributeError, sqlite3.Error) as error:
        print(f"sqlite-vec is left out: {error}", file=sys.stderr)
        return {}
    metric = "cosine" if distance == "Cosine" else "L2"
    vectors = numpy.fromfile(directory / f"{name}.vectors", numpy.float32).reshape(-1, dimensions)
    origins = numpy.fromfile(directory / f"{name}.origins", numpy.float32).reshape(-1, dimensions)
    database.execute(
        f"create virtual table items using vec0(vector float[{dimensions}] distance_metric={metric})")
    database.executemany(
        "insert into items(rowid, vector) values (?, ?)",
        ((number + 1, vector.tobytes()) for number, vector in enumerate(vectors)))
    start = time.thread_time()
    for origin in origins[:20]:
        database.execute(
            "select rowid from items where vector match ? and k = 10", (origin.tobytes(),)).fetchall()
    return {"sqlite-vec scan us": (time.thread_time() - start) / 20 * 1e6}


def main():
    arguments = harness.arguments(
        "vectors", "peer", "c-peers", "sets",
        more=lambda parser: parser.add_argument("--picture", type=pathlib.Path, help="an SVG to write"))
    results = {}
    for name, (dimensions, distance) in SETS.items():
        if arguments.quick and name != "clustered":
            continue
        measured = numbers(arguments.c_peers / "hnswlib-peer", arguments.sets, name, dimensions, distance)
        measured |= numbers(arguments.c_peers / "vector-scan", arguments.sets, name, dimensions)
        measured |= numbers(arguments.peer, arguments.sets, name, dimensions, distance)
        measured |= sqlite_vec(arguments.sets, name, dimensions, distance)
        size = (arguments.sets / f"{name}.vectors").stat().st_size
        measured["vectors"] = size / 4 / dimensions
        results[name] = measured
    if arguments.picture:
        import picture_of_recall
        arguments.picture.write_text(picture_of_recall.svg(results))
    if arguments.format == "json":
        print(json.dumps(results, indent=2))
        return
    for name, measured in results.items():
        print(f"{name}, {measured['vectors']:.0f} vectors of {SETS[name][0]}")
        for key, number in measured.items():
            print(f"  {key:28} {number:12.4g}")


if __name__ == "__main__":
    main()
