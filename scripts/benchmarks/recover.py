"""Measures the search for a lost model file in a large repository. See scripts/bench."""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile

import harness

SEED = 20261123
LIMIT_SECONDS = 20
MEMORY_MB = 512


def model(entities):
    """A model with so many entities, the UIDs of which follow from their ids."""
    def entity(number):
        uid = 5100000000000000000 + number * 256
        return {
            "id": f"{number}:{uid}", "lastPropertyId": f"2:{uid + 2}", "name": f"Entity{number}",
            "properties": [
                {"id": f"1:{uid + 1}", "name": "id", "type": 6, "flags": 1},
                {"id": f"2:{uid + 2}", "name": "text", "type": 9}],
            "relations": []}
    return json.dumps({
        "entities": [entity(number) for number in range(1, entities + 1)],
        "lastEntityId": f"{entities}:{5100000000000000000 + entities * 256}",
        "lastIndexId": "0:0", "lastRelationId": "0:0", "lastSequenceId": "0:0", "modelVersion": 5,
        "modelVersionParserMinimum": 5, "retiredEntityUids": [], "retiredIndexUids": [],
        "retiredPropertyUids": [], "retiredRelationUids": [], "version": 1}, indent=2)


def fill(repository, commits):
    """Commits sources, and now and then a version of the model; returns the last version of it."""
    draw = random.Random(SEED)
    last = ""
    process = subprocess.Popen(
        ["git", "-C", repository, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    out = process.stdin

    def change(path, text):
        data = text.encode()
        out.write(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")

    for number in range(1, commits + 1):
        out.write(f"commit refs/heads/main\nmark :{number}\n"
                  f"committer A <a@example.org> {1600000000 + number * 60} +0000\n"
                  "data 6\nChange\n".encode())
        if number > 1:
            out.write(f"from :{number - 1}\n".encode())
        name = draw.randrange(2000)
        change(f"Sources/Part{name // 50}/File{name}.txt",
               "".join(f"line {draw.random()}\n" for _ in range(40)))
        if number % 100 == 1 and number < commits:
            last = model(10 + number // (commits // 100 + 1))
            change("model/objectbox-model.json", last)
        if number == commits:
            out.write(b"D model/objectbox-model.json\n")
        out.write(b"\n")
    out.close()
    if process.wait() != 0:
        raise SystemExit("git fast-import failed")
    subprocess.run(["git", "-C", repository, "reset", "--quiet", "--hard"], check=True)
    return last


def main():
    options = harness.arguments("recover", "binary")
    rows = harness.Rows(options)
    commits = 10_000 if options.quick else 100_000
    with tempfile.TemporaryDirectory() as directory:
        repository = os.path.join(directory, "repository")
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", repository], check=True)
        expected = fill(repository, commits)
        runs = []
        for _ in range(1 if options.quick else 3):
            with harness.Timed() as timed:
                run = subprocess.run([options.binary, "recover", "--output", "-"], cwd=repository,
                                     capture_output=True, check=True)
            runs.append(timed)
            if run.stdout.decode() != expected:
                raise SystemExit("another file was found")
        # The largest of all children: git needs less than the program only in small repositories.
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    rows.add_runs(f"recover a deleted file from {commits:,} commits", {"ours": runs}, f"under {LIMIT_SECONDS}",
                  lambda ours, _: ours < LIMIT_SECONDS)
    rows.add("its memory, or that of git", "MB", memory, {}, f"under {MEMORY_MB}", memory < MEMORY_MB)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
