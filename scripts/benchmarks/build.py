"""Measures what an app waits for when it builds the library, beside GRDB. See scripts/bench."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import Run

MANIFEST = """// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "App", platforms: [.macOS(.v15)], dependencies: [%s],
  targets: [.executableTarget(name: "App", dependencies: [%s])],
  swiftLanguageModes: [.v6])
"""

GRDB_APP = """import GRDB

struct Book: Codable, FetchableRecord, PersistableRecord {
  var id: Int64
  var title: String
}

let queue = try DatabaseQueue()
try queue.write { base in
  try base.create(table: "book") { table in
    table.primaryKey("id", .integer)
    table.column("title", .text)
  }
  try Book(id: 1, title: "Eden").insert(base)
  print(try Book.fetchAll(base).count)
}
"""


class App:
    """A package that depends on a library, with checkouts but nothing built."""

    def __init__(self, place, dependency, product, sources):
        self.place = place
        for name, text in sources.items():
            path = place / "Sources/App" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (place / "Package.swift").write_text(MANIFEST % (dependency, product))
        self.changed = place / "Sources/App" / sorted(sources)[0]
        if dependency:
            subprocess.run(["swift", "package", "--package-path", place, "resolve"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def build(self, configuration):
        return Run(["swift", "build", "-c", configuration, "--package-path", self.place])

    def clean(self, configuration):
        for directory in (self.place / ".build").glob("*/" + configuration):
            if not directory.is_symlink():
                shutil.rmtree(directory)
        return self.build(configuration)

    def change(self):
        with open(self.changed, "a") as file:
            file.write("\n// A line more.\n")
        return self.build("debug")

    def size(self):
        """The bytes of the program in release without symbols."""
        self.build("release")
        stripped = self.place / "stripped"
        subprocess.run(["strip", "-o", stripped, self.place / ".build/release/App"], check=True)
        return os.path.getsize(stripped)


def main():
    options = harness.arguments(
        "build", more=lambda parser: parser.add_argument("--grdb", required=True, help="the version of GRDB"))
    rows, root = harness.Rows(options), harness.ROOT
    runs = 1 if options.quick else 3
    with tempfile.TemporaryDirectory() as name:
        example = root / "docs/examples/Bookshelf/Sources/Bookshelf"
        ours = App(
            Path(name) / "ours", f'.package(name: "BoxJoint", path: "{root}", traits: [])',
            '.product(name: "BoxStore", package: "BoxJoint")',
            {str(path.relative_to(example)): path.read_text() for path in example.rglob("*.swift")})
        grdb = App(
            Path(name) / "grdb",
            f'.package(url: "https://github.com/groue/GRDB.swift", exact: "{options.grdb}")',
            '.product(name: "GRDB", package: "GRDB.swift")', {"main.swift": GRDB_APP})
        empty = App(Path(name) / "empty", "", "", {"main.swift": "import Foundation\nprint(Date())\n"})
        for work, measure, goal in [
                ("a clean build in debug", lambda app: app.clean("debug"), 45),
                ("a changed line of the app, in debug", lambda app: app.change(), 3),
                ("nothing changed, in debug", lambda app: app.build("debug"), 0.5),
                ("a clean build in release", lambda app: app.clean("release"), 150)]:
            measured = {"ours": [], "GRDB": []}
            for _ in range(runs):
                measured["ours"].append(measure(ours))
                measured["GRDB"].append(measure(grdb))
            rows.add_runs(work, measured, f"at most {goal} s of processor time",
                          lambda *_, ours=measured["ours"], goal=goal: harness.median(ours, "processor") <= goal)
        base = empty.size()
        sizes = {who: (app.size() - base) / 1e6 for who, app in [("ours", ours), ("GRDB", grdb)]}
        rows.add("the program in release, stripped, beyond an empty one with Foundation", "MB", sizes["ours"],
                 {"GRDB": sizes["GRDB"]}, "at most 5", sizes["ours"] <= 5)
    return rows.report()


sys.exit(main())
