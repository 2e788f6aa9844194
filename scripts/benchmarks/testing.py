"""Measures stores for tests, and tests of migrations. See scripts/bench."""

import json
import os
import subprocess
import sys

import harness
from harness import ROOT, Timed
from model import model

STORE_MS = 2
TAGS = 30
TAGS_SECONDS = 10
MEMORY_KB = 8 << 10
TESTS = ["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ".build-test",
         "--skip-build", "--disable-xctest", "--filter", r"BoxStoreTestingTests\.ManyStoresTests"]


class TestingBench:
    def __init__(self, options, rows):
        self.options, self.rows = options, rows

    def stores(self):
        """The figures that the tests write, each of them in a process in which nothing else runs."""
        count = 1_000 if self.options.quick else 10_000
        with harness.scratch("testing") as directory:
            file = directory / "figures"
            subprocess.run(TESTS, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env={
                **os.environ, "BOXJOINT_MEASURED": str(file),
                "BOXJOINT_SOAK_TESTING_STORES": str(count)})
            lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
        figures = {name: float(value) for name, value in lines}
        empty = figures["empty"]
        self.rows.add("Store.test with 50 entities, empty", "ms", empty, {}, f"under {STORE_MS} ms", empty < STORE_MS)
        self.rows.add("Store.test with 50 entities, 100 objects of each", "ms", figures["100 objects each"], {}, "", True)
        for name, unit, limit in [("descriptors", "count", 0), ("maps", "count", 8), ("kibibytes", "KiB", MEMORY_KB)]:
            left = round(figures[name])
            what = "anonymous memory" if unit == "KiB" else name
            self.rows.add(f"{what} after {count:,} more stores than after 100", unit, left, {},
                          f"at most {limit} more", left <= limit)

    def tags(self):
        """Thirty tags of a model of 50 entities of 20 properties, each with a property more than the one before."""
        with harness.scratch("tags") as directory:
            def git(*arguments):
                subprocess.run(["git", "-C", directory, "-c", "user.name=n", "-c", "user.email=e", *arguments],
                               check=True, capture_output=True)

            git("init", "--quiet")
            root = json.loads(model(50, 20))
            for tag in range(TAGS + 1):
                entity = root["entities"][tag]
                uid = 4_000_000_000_000_000 + tag
                last = int(entity["lastPropertyId"].split(":")[0]) + 1
                entity["lastPropertyId"] = f"{last}:{uid}"
                entity["properties"].append({"id": f"{last}:{uid}", "name": f"added{tag}", "type": 6})
                (directory / "model.json").write_text(json.dumps(root, indent=2))
                if tag == TAGS:
                    break
                git("add", "model.json")
                git("commit", "--quiet", "-m", f"version {tag}")
                git("tag", f"v{tag}")
            runs = []
            for _ in range(1 if self.options.quick else 5):
                with Timed() as timed:
                    subprocess.run([self.options.binary, "migrate", "test", "model.json"], cwd=directory, check=True,
                                   capture_output=True)
                runs.append(timed)
            seconds = harness.median(runs)
            self.rows.add(f"migrate test of {TAGS} tags of a model of 50 entities of 20 properties, 20 objects of each",
                          "s", seconds, {}, f"under {TAGS_SECONDS} s", seconds < TAGS_SECONDS)


def main():
    options = harness.arguments("testing", "binary")
    rows = harness.Rows(options)
    bench = TestingBench(options, rows)
    bench.stores()
    bench.tags()
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
