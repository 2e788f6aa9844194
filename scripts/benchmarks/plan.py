"""Measures plans of changes of models. See scripts/bench."""

import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import harness
from harness import MODEL, SEED, Run, Timed, in_turn
from model import CORPUS, Bench, generate, is_model, model

MIGRATION_LIMIT = 1.3
MEMORY_MB = 128
# An integer of hundredths becomes a string.
CONVERTER = "{ type: decimal, scale: 2 }"


class PlanBench(Bench):
    def __init__(self, options, rows):
        super().__init__(options, rows)
        self.options, self.engine_peer = options, options.engine_peer

    def largest_real(self):
        """The largest pair of versions of a file, as a whole process, with git's comparison."""
        pairs = []
        for directory in sorted((CORPUS / "evolutions").iterdir()):
            files = [path for path in sorted(directory.glob("*.json")) if is_model(path)]
            pairs += list(zip(files, files[1:]))
        old, new = max(pairs, key=lambda pair: sum(path.stat().st_size for path in pair))
        self.add_time(
            f"plan of the largest real change ({old.stat().st_size // 1024} KB), whole process", "ms", in_turn({
                "ours": [self.binary, "plan", old, new],
                "git diff --no-index": ["git", "diff", "--no-index", old, new],
            }, 40 if self.quick else 300, check=False), 4)

    def large(self):
        base, changed, _ = generate(self.directory, 2000, 50)
        runs = in_turn({"ours": [self.binary, "plan", base, changed],
                        "json-c in C parsing both files": [self.json_c, base, changed]},
                       3 if self.quick else 15, check=False)
        self.add_time(f"plan of a generated change, 2000 entities of 50 properties "
                      f"({base.stat().st_size / 1e6:.1f} MB)", "s", runs, 4)
        self.add("peak memory of that", "MB", round(max(run.peak_mb for run in runs["ours"])), {}, "", True)

    def tags(self):
        """50 tags of a model of 500 entities, each with a property more than the one before."""
        repository = self.directory / "tags"
        repository.mkdir()

        def git(*arguments):
            subprocess.run(["git", "-C", repository, "-c", "user.name=n", "-c", "user.email=e",
                            *arguments], check=True, capture_output=True)

        git("init", "--quiet")
        root = json.loads(model(500, 20))
        file = repository / "model.json"
        contents = []
        for tag in range(50):
            entity = root["entities"][tag * 7]
            uid = 4_000_000_000_000_000 + tag
            last = int(entity["lastPropertyId"].split(":")[0]) + 1
            entity["lastPropertyId"] = f"{last}:{uid}"
            entity["properties"].append({"id": f"{last}:{uid}", "name": f"added{tag}", "type": 6})
            file.write_text(json.dumps(root, indent=2))
            contents.append(self.directory / f"tag-{tag}.json")
            contents[-1].write_text(json.dumps(root, indent=2))
            git("add", "model.json")
            git("commit", "--quiet", "-m", f"version {tag}")
            git("tag", f"v{tag}")
        git("gc", "--quiet")
        names = "".join(f"v{tag}:model.json\n" for tag in range(50)).encode()
        runs = {"ours": [], "git cat-file --batch, and json-c in C": []}
        for _ in range(3 if self.quick else 15):
            for of in runs.values():
                with Timed() as timed:
                    if of is runs["ours"]:
                        subprocess.run([self.binary, "plan", "--all-tags", "--fail-on", "none", "model.json"],
                                       cwd=repository, check=True, capture_output=True)
                    else:
                        subprocess.run(["git", "cat-file", "--batch"], cwd=repository, input=names,
                                       check=True, stdout=subprocess.DEVNULL)
                        subprocess.run([self.json_c, *contents], check=True)
                of.append(timed)
        self.add_time("matrix of 50 tags of a model of 500 entities of 20 properties, in both directions", "s", runs, 2)

    def migration(self):
        """A million objects through one converter, and the same by export and import."""
        with harness.scratch("migration") as directory:
            self.migrate(self.options.count, directory)

    def migrate(self, count, directory):
        old, store, new = directory / "old", directory / "store", directory / "new"
        old.mkdir()
        subprocess.run([self.engine_peer, "slot", MODEL, "put-all", old, str(count), str(SEED)],
                       check=True, stdout=subprocess.DEVNULL)
        target, dump = directory / "new.json", directory / "dump.ndjson"
        root = json.loads(MODEL.read_text())
        for prop in root["entities"][0]["properties"]:
            if prop["name"] == "b":
                prop["type"] = 9
        target.write_text(json.dumps(root, indent=2))
        mapping, catalogue = directory / "mapping.yml", directory / "converters.yml"
        mapping.write_text("mappings:\n  - entities:\n      - transform: Mixed\n        properties:\n"
                           f"          b: {{ from: b, read: {CONVERTER} }}\n")
        catalogue.write_text(f"properties:\n  Mixed.b: {CONVERTER}\n")

        def migrated():
            shutil.rmtree(store, ignore_errors=True)
            shutil.copytree(old, store)
            os.sync()
            return Run([self.binary, "migrate", "--store", store, "--to", target,
                        "--mapping", mapping, "--yes"], samples=True)

        def carried():
            shutil.rmtree(new, ignore_errors=True)
            os.sync()
            first = Run([self.binary, "export", "--store", old, "--converters", catalogue,
                         "--output", dump])
            second = Run([self.binary, "import", "--store", new, "--model", target, dump])
            return SimpleNamespace(
                seconds=first.seconds + second.seconds, processor=first.processor + second.processor)

        def converted():
            shutil.rmtree(new, ignore_errors=True)
            os.sync()
            return Run([self.engine_peer, "convert", target, new, old, str(count), str(SEED)])

        ours, peers, lean = [], [], []
        for repetition in range(3 if self.quick else 7):
            ours.append(migrated())
            peers.append(carried())
            if repetition == 0:
                self.require_same(store, new, directory)
            lean.append(converted())
            if repetition == 0:
                self.require_same(store, new, directory)
        self.rows.add_runs(
            f"heavy migration of {count:,} objects with an index, one converter, whole process",
            {"ours": ours, "boxjoint export, and import": peers, "EnginePeer, reading and putting": lean},
            f"at most {MIGRATION_LIMIT}x of exporting and importing",
            lambda seconds, others: seconds <= MIGRATION_LIMIT * others["boxjoint export, and import"])
        mapped = (store / "data.mdb").stat().st_size / 1e6
        above = max(run.above(mapped) for run in ours)
        self.add("memory of that above the maps", "MB", round(above), {},
                 f"at most {MEMORY_MB} MB", above <= MEMORY_MB)

    def require_same(self, store, other, directory):
        """Ends the program if two stores do not hold the same objects."""
        dumps = [directory / "one", directory / "other"]
        for path, dump in zip((store, other), dumps):
            subprocess.run([self.binary, "export", "--store", path, "--raw", "--output", dump],
                           check=True, capture_output=True)
        if dumps[0].read_bytes() != dumps[1].read_bytes():
            sys.exit("the ways to migrate come to different objects")


def main():
    options = harness.arguments("plan", "binary", "json-c", "engine-peer")
    rows = harness.Rows(options, ("ms", "s"))
    bench = PlanBench(options, rows)
    if CORPUS.is_dir():
        bench.largest_real()
    else:
        print("no corpus of real model files here: only generated ones are measured",
              file=sys.stderr)
    bench.large()
    bench.tags()
    bench.migration()
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
