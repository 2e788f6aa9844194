"""Measures queries of the engine against SQLite and DuckDB. See scripts/bench.

Each query of each store is a process of its own, which prints what it measured; the stores take turns.
"""

import statistics
import sys
import tempfile
import time

import harness
from harness import Engine, agree

MODEL = harness.ROOT / "scripts" / "benchmarks" / "query" / "model.json"

# The work, the unit with the number of it in a second, how often a process does it (queries.h), and the
# goal: a multiple of a peer's time, or a time in the unit.
QUERIES = {
    "look-up": ("ten objects by an index: condition, preparation and transaction for each", "us", 20000,
                {"by-hand": 1.3, "sqlite": 1.0}),
    "count-equal": ("count of an indexed equality", "us", 100000, {"us": 3}),
    "first-ten": ("first ten of {count} in the order of an index", "us", 5000, {"us": 30}),
    "contains": ("count of {count} strings that contain three letters", "ms", 3, {"sqlite": 1.5}),
    "contains-nocase": ("the same, ignoring case", "ms", 3, {"sqlite": 1.5}),
    "sort-ten": ("first ten of {count} sorted by a string", "ms", 3, {"sqlite": 1.5}),
    "join": ("a hundredth of {count} by a relation to one with an indexed condition", "ms", 20,
             {"sqlite": 1.0}),
    "sum": ("sum over {count}", "ms", 5, {"sqlite": 1.5}),
    "group": ("sum over {count} in 1,000 groups", "ms", 3, {"sqlite": 1.5}),
    "empty": ("empty read transaction", "us", 1000000, {"us": 0.4}),
}
PER_SECOND = {"us": 1e6, "ms": 1e3}
DUCKDB = {
    "look-up": "SELECT count(*), sum(a) FROM mixed WHERE f = ?",
    "contains": "SELECT count(*) FROM mixed WHERE contains(name, 'abc')",
    "contains-nocase": "SELECT count(*) FROM mixed WHERE name ILIKE '%ABC%'",
    "sort-ten": "SELECT * FROM mixed ORDER BY name, id LIMIT 10",
    "join": "SELECT count(*), sum(a) FROM mixed m JOIN owner o ON m.owner = o.id WHERE o.rank = ?",
    "sum": "SELECT sum(b), count(b) FROM mixed",
    "group": "SELECT sum(b), count(b), owner FROM mixed GROUP BY owner",
}


class DuckDB:
    """DuckDB in this process, with the tables that SQLite has, on one thread."""

    def __init__(self, directory):
        import duckdb  # pylint: disable=import-outside-toplevel
        import sqlite3  # pylint: disable=import-outside-toplevel
        self.connection = duckdb.connect(str(directory / "mixed.duckdb"))
        self.connection.execute("SET threads = 1")
        source = sqlite3.connect(directory / "sqlite" / "mixed.sqlite")
        for table, columns in (
                ("owner", "id BIGINT PRIMARY KEY, name VARCHAR, rank INTEGER"),
                ("mixed", "id BIGINT, a BIGINT, b INTEGER, c DOUBLE, d FLOAT, e UTINYINT, f BIGINT, "
                          "g BIGINT, name VARCHAR, owner BIGINT")):
            self.connection.execute(f"CREATE TABLE {table} ({columns})")
            with tempfile.NamedTemporaryFile("w", suffix=".csv", dir=directory) as file:
                for row in source.execute(f"SELECT * FROM {table}"):
                    file.write(",".join(map(str, row)) + "\n")
                file.flush()
                self.connection.execute(f"COPY {table} FROM '{file.name}'")
        self.connection.execute("CREATE INDEX mixed_f ON mixed (f)")

    def run(self, operation):
        """The seconds of one query, by the clock and of the processor."""
        start, processor = time.monotonic(), time.process_time()
        values = [7] if "?" in DUCKDB[operation] else []
        self.connection.execute(DUCKDB[operation], values).fetchall()
        return {"seconds": time.monotonic() - start, "cpu": time.process_time() - processor}


def measure(ours, sqlite, count, repetitions, directory):
    samples = {}
    for engine in (ours, sqlite):
        (directory / engine.name).mkdir()
        engine.run("fill", directory / engine.name, count)
    duckdb = DuckDB(directory)
    for repetition in range(repetitions):
        print(f"{count:,} objects, run {repetition + 1} of {repetitions}", file=sys.stderr)
        for operation, (_, _, times, goals) in QUERIES.items():
            engines = {"ours": ours} if operation == "empty" else {"ours": ours, "sqlite": sqlite}
            results = {}
            for name in (engines if repetition % 2 else reversed(engines)):
                results[name] = engines[name].run(operation, directory / engines[name].name, count)
            if "by-hand" in goals:
                results["by-hand"] = ours.run("by-hand", directory / ours.name, count)
            agree(operation, results)
            for name, result in results.items():
                for key in ("seconds", "cpu"):
                    samples.setdefault((operation, name, key), []).append(result[key] / times)
            if operation in DUCKDB:
                for key, value in duckdb.run(operation).items():
                    samples.setdefault((operation, "duckdb", key), []).append(value)
    return {key: statistics.median(values) for key, values in samples.items()}


def add_rows(rows, medians, count):
    for operation, (work, unit, _, goals) in QUERIES.items():
        def values(key, operation=operation, unit=unit):
            return {name: medians[operation, name, key] * PER_SECOND[unit]
                    for name in ("ours", "by-hand", "sqlite", "duckdb") if (operation, name, key) in medians}
        peers = values("seconds")
        ours = peers.pop("ours")
        holds = all(ours <= (limit if name == unit else limit * peers[name]) for name, limit in goals.items())
        goal = "; ".join(f"at most {limit:g} {unit}" if name == unit else f"at most {limit:g}x {name}"
                         for name, limit in goals.items())
        rows.add(work.format(count=f"{count:,}"), unit, ours, peers, goal, holds, values("cpu"))


def main():
    options = harness.arguments("query", "c-peers", "query-peer")
    rows = harness.Rows(options, ("us", "ms"))
    with harness.scratch("queries") as directory:
        medians = measure(
            Engine("ours", [options.query_peer, MODEL]), Engine("sqlite", [options.c_peers / "sqlite-query"]),
            options.count, 3 if options.quick else 7, directory)
    add_rows(rows, medians, options.count)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
