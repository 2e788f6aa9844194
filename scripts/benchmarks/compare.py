"""Measures two builds of the program and of its engine in turn. See scripts/bench."""

import statistics
import subprocess

import api
import query
from model import generate
import harness
from harness import MODEL, SEED, Engine, Run

STORE = ("put-all", "get", "visit", "look-up", "rewrite-all", "remove-all")


class Build:
    def __init__(self, directory, binary, peers):
        self.directory, self.binary = directory, binary
        self.peer = peers / "EnginePeer"
        self.queries = Engine("queries", [peers / "QueryPeer", query.MODEL])
        self.objects = Engine("objects", [peers / "APIPeer"])
        directory.mkdir()

    def store(self, name, operation, count):
        return [self.peer, "slot", MODEL, operation, self.directory / name, str(count), str(SEED)]


class Comparison:
    def __init__(self, builds, directory, options):
        self.builds, self.directory = builds, directory
        self.count = options.count
        self.repetitions = 3 if options.quick else 9
        self.rows = []

    def measure(self, work, command, prepare=None):
        """Runs a command of each build, made by a function of the build, in turn."""
        def run(build):
            done = Run(command(build))
            return done.processor, done.seconds
        self.compare(work, run, prepare)

    def ask(self, work, program, operation, store):
        """Runs an operation of a program of each build, in turn, and takes the times that it prints."""
        def run(build):
            printed = program(build).run(operation, build.directory / store, self.count)
            return printed["cpu"], printed["seconds"]
        self.compare(work, run)

    def compare(self, work, run, prepare=None):
        runs = {build: [] for build in self.builds}
        for _ in range(self.repetitions):
            for build in self.builds:
                if prepare:
                    prepare(build)
                runs[build].append(run(build))
        old, new = self.builds
        cells = []
        for value in range(2):
            medians = [statistics.median(run[value] for run in runs[build]) for build in (old, new)]
            cells += [f"{medians[0]:.3f}", f"{medians[1]:.3f}", f"{medians[1] / medians[0]:.2f}x"]
        spread = max(max(run[0] for run in runs[build]) / min(run[0] for run in runs[build])
                     for build in self.builds)
        print(f"| {work} | {' | '.join(cells)} | {spread:.2f}x |", flush=True)

    def fresh(self, name):
        return lambda build: subprocess.run(["rm", "-rf", build.directory / name], check=True)

    def filled(self, name):
        def prepare(build):
            self.fresh(name)(build)
            (build.directory / name).mkdir()
            Run(build.store(name, "put-all", self.count))
        return prepare

    def run(self):
        print("| work | old, processor s | new | ratio | old, clock s | new | ratio | spread |")
        print("|---|---|---|---|---|---|---|---|")
        base, ours, theirs = generate(self.directory, 200 if self.count < 1_000_000 else 2000, 50)
        self.measure("merge of a generated model", lambda build: [
            build.binary, "merge", "--base", base, "--ours", ours, "--theirs", theirs])
        self.measure("plan of it", lambda build: [build.binary, "plan", "--fail-on", "none",
                                                  base, ours])
        for build in self.builds:
            self.filled("store")(build)
        for operation in STORE:
            prepare = None
            if operation == "put-all":
                def prepare(build):
                    self.fresh("put")(build)
                    (build.directory / "put").mkdir()
            elif operation in ("rewrite-all", "remove-all"):
                prepare = self.filled("put")
            name = "put" if prepare else "store"
            self.measure(f"engine: {operation}", lambda build: build.store(
                name, operation, self.count), prepare)
        for build in self.builds:
            (build.directory / "queries").mkdir()
            build.queries.run("fill", build.directory / "queries", self.count)
            for store in ("classes", "structs", "linked"):
                (build.directory / store).mkdir()
                build.objects.run(f"put-{store}", build.directory / store, self.count)
        for operation, (work, *_) in query.QUERIES.items():
            self.ask(f"query: {work.format(count=f'{self.count:,}')}", lambda build: build.queries,
                     operation, "queries")
        for work in api.READS:
            self.ask(f"objects: {work.text}", lambda build: build.objects, work.operation, work.store)
        self.measure("export", lambda build: [
            build.binary, "export", "--store", build.directory / "store", "--output",
            build.directory / "dump"], self.fresh("dump"))
        self.measure("import", lambda build: [
            build.binary, "import", "--store", build.directory / "imported", build.directory / "dump"],
            self.fresh("imported"))
        self.measure("store verify", lambda build: [
            build.binary, "store", "verify", build.directory / "store"])
        self.measure("dump verify", lambda build: [
            build.binary, "dump", "verify", build.directory / "dump"])


def main():
    options = harness.arguments("compare", "old-binary", "old-peers", "new-binary", "new-peers")
    with harness.scratch("compare") as directory:
        builds = [Build(directory / "old", options.old_binary, options.old_peers),
                  Build(directory / "new", options.new_binary, options.new_peers)]
        Comparison(builds, directory, options).run()


if __name__ == "__main__":
    main()
