"""Measures merging of model files. See scripts/bench."""

import csv
import difflib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import harness
from harness import ROOT, in_turn, median

CORPUS = ROOT / ".." / "shared" / "corpus"


def run(arguments):
    """The status and the output of a program."""
    done = subprocess.run([str(a) for a in arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout


class Model:
    """The few facts about a model file that the benchmark compares."""

    def __init__(self, data):
        root = json.loads(data)
        self.live = {}
        self.last = {"entity": pair(root.get("lastEntityId"))[0],
                     "index": pair(root.get("lastIndexId"))[0],
                     "relation": pair(root.get("lastRelationId"))[0]}
        self.retired = set()
        for key, value in root.items():
            if key.startswith("retired") and value:
                self.retired |= set(value)
        for entity in root["entities"]:
            number, uid = pair(entity["id"])
            self.live["entity", uid] = number
            self.last["property", uid] = pair(entity.get("lastPropertyId"))[0]
            for prop in entity["properties"]:
                self.live["property", pair(prop["id"])[1]] = pair(prop["id"])[0]
                if prop.get("indexId"):
                    self.live["index", pair(prop["indexId"])[1]] = pair(prop["indexId"])[0]
            for relation in entity.get("relations") or []:
                self.live["relation", pair(relation["id"])[1]] = pair(relation["id"])[0]


def pair(text):
    if not text:
        return 0, 0
    number, _, uid = text.partition(":")
    return int(number), int(uid or 0)


def is_model(path):
    try:
        root = json.loads(path.read_bytes())
        return isinstance(root, dict) and isinstance(root.get("entities"), list)
    except ValueError:
        return False


def real_models():
    files = sorted(CORPUS.glob("snapshots/*")) + sorted(CORPUS.glob("evolutions/*/*.json"))
    return [path for path in files if is_model(path)]


def with_entity(text, number, uid):
    """The file with one more entity at the end, as its generator writes it, or None."""
    opening = re.search(r'\n( +)"entities" ?: \[', text)
    if not opening:
        return None
    indent = opening.group(1)
    closing = text.find("\n" + indent + "]", opening.end())
    first = re.search(r'\n( +)\{\n( +)"id"( ?): "', text[opening.end():])
    if closing < 0 or not first:
        return None
    colon = first.group(3)
    one, two = indent * 2, indent * 3
    lines = [
        f'"id"{colon}: "{number}:{uid}"',
        f'"lastPropertyId"{colon}: "1:{uid + 1}"',
        f'"name"{colon}: "Added{number}"',
        f'"properties"{colon}: [',
    ]
    inner = [f'"id"{colon}: "1:{uid + 1}"', f'"name"{colon}: "id"', f'"type"{colon}: 6',
             f'"flags"{colon}: 1']
    entity = f"\n{one}{{\n" + ",\n".join(two + line for line in lines)
    entity += f"\n{indent * 4}{{\n" + ",\n".join(indent * 5 + line for line in inner)
    entity += f"\n{indent * 4}}}\n{two}]\n{one}}}"
    text = text[:closing] + "," + entity + text[closing:]
    return re.sub(r'("lastEntityId" ?: )"[^"]*"', lambda m: f'{m.group(1)}"{number}:{uid}"', text)


class Bench:
    def __init__(self, options, rows):
        self.binary, self.json_c, self.quick = options.binary, options.json_c, options.quick
        self.add, self.rows = rows.add, rows
        self.directory = Path(tempfile.mkdtemp(prefix="boxjoint-bench-"))

    def add_time(self, work, unit, runs, limit, goal=None):
        """Adds a row of what ours and one peer took, of a limit in multiples of the peer's time."""
        self.rows.add_runs(work, runs, goal or f"at most {limit:g}x",
                           lambda ours, peers: all(ours <= limit * peer for peer in peers.values()), unit)

    def merge(self, base, ours, theirs, *more):
        arguments = [self.binary, "merge", "--ours", ours, "--theirs", theirs]
        if base:
            arguments += ["--base", base]
        return run(arguments + list(more))

    def identity(self):
        files = real_models()
        same = added = tried = 0
        for path in files:
            status, output = self.merge(path, path, path)
            if status == 0 and output == path.read_bytes():
                same += 1
            else:
                print(f"not the same: {path} (status {status})", file=sys.stderr)
            text = path.read_bytes().decode("utf-8", "strict")
            model = Model(text)
            number = max([n for (kind, _), n in model.live.items() if kind == "entity"]
                         + [model.last["entity"]], default=0) + 1
            taken = {uid for _, uid in model.live} | model.retired
            uid = max(taken, default=0) % (2**62) + 1024
            sides = with_entity(text, number, uid), with_entity(text, number, uid + 512)
            if None in sides or '"lastEntityId"' not in text:
                continue
            tried += 1
            ours, theirs = self.directory / "ours.json", self.directory / "theirs.json"
            ours.write_text(sides[0])
            theirs.write_text(sides[1].replace(f'"Added{number}"', f'"Other{number}"'))
            status, output = self.merge(path, ours, theirs)
            lost = [line[2:] for line in difflib.ndiff(text.split("\n"), output.decode().split("\n"))
                    if line.startswith("- ")] if status == 0 else ["no merge"]
            lost = [line for line in lost if "lastEntityId" not in line and line.strip() != "}"]
            if lost:
                print(f"changed: {path} (status {status}): {lost[:3]}", file=sys.stderr)
            else:
                added += 1
        self.add("real model files, merged with themselves: byte for byte as before", "files",
                 same, {"all": len(files)}, "all", same == len(files))
        self.add("the same with an entity added on each side: every other line as before", "files",
                 added, {"all that have a multi-line list of entities": tried}, "all",
                 added == tried)

    def triples(self):
        for name in ("merges", "divergences"):
            people = {}
            if name == "merges":
                with open(CORPUS / "merges.csv", newline="") as file:
                    people = {row["dir"]: row for row in csv.DictReader(file)}
            directories = sorted(path for path in (CORPUS / name).iterdir() if path.is_dir())
            counts = {"merged": 0, "conflicts": 0, "regenerated": 0, "unreadable": 0}
            questions = {}
            git = {"clean and sound": 0, "clean and unsound": 0, "conflicts": 0}
            sound_people = 0
            for directory in directories:
                outcome, rules = self.triple(directory)
                counts[outcome] += 1
                for rule in rules:
                    questions.setdefault(rule, []).append(directory.name)
                git[self.git(directory)] += 1
                row = people.get(directory.name)
                if row and not any(
                        int(row[k] or 0) for k in
                        ("conflict_markers", "dup_ids", "dup_uids", "stale_lastEntityId",
                         "stale_lastPropertyId", "stale_other", "live_and_retired", "lost_uids")
                ) and not row["introduced_issues"]:
                    sound_people += 1
            label = f"corpus/{name}, {len(directories)} of them: "
            peers = {f"git merge-file: {k}": v for k, v in git.items()}
            if people:
                known = [f for f in directories if f.name in people]
                peers[f"people: sound, of {len(known)}"] = sound_people
            goal = "at least 98" if name == "divergences" else ""
            self.add(label + "merged", "files", counts["merged"], peers, goal,
                     counts["merged"] >= 98 if name == "divergences" else True)
            self.add(label + "conflicts", "files", counts["conflicts"], {}, "", True)
            for rule, places in sorted(questions.items()):
                self.add(label + f"conflicts that a person has to answer, by {rule}", "conflicts",
                         len(places), {"files": len(set(places))}, "", True)
            self.add(label + "a side newly generated, or nothing in common", "files",
                     counts["regenerated"], {}, "", True)
            self.add(label + "no model on a side", "files", counts["unreadable"], {}, "", True)

    def triple(self, directory):
        base = directory / "base.json"
        base = base if base.exists() else None
        ours, theirs = directory / "ours.json", directory / "theirs.json"
        status = self.merge(base, ours, theirs)[0]
        if status == 65:
            return "unreadable", []
        if status == 2:
            return "regenerated", []
        if status == 1:
            _, report = self.merge(base, ours, theirs, "--output", self.directory / "m.json",
                                         "--format", "json")
            rules = [f'{c["rule"]["id"]} {c["rule"]["name"]}'
                     for c in json.loads(report)["conflicts"]]
            return "conflicts", rules
        # What a merge must not do with these files, Tests/BoxMergeTests/CorpusMergeTests.swift checks.
        return "merged", []

    def git(self, directory):
        base = directory / "base.json"
        if not base.exists():
            base = self.directory / "empty"
            base.write_text("")
        status, output = run(
            ["git", "merge-file", "-p", directory / "ours.json", base, directory / "theirs.json"])
        if status != 0:
            return "conflicts"
        merged = self.directory / "git.json"
        merged.write_bytes(output)
        status, _ = run([self.binary, "check", merged])
        return "clean and sound" if status == 0 else "clean and unsound"

    def largest(self):
        path = max(CORPUS.glob("snapshots/*"), key=lambda p: p.stat().st_size)
        text = path.read_text()
        number = Model(text).last["entity"] + 1
        ours, theirs = self.directory / "large-ours.json", self.directory / "large-theirs.json"
        ours.write_text(with_entity(text, number, 2**61))
        theirs.write_text(with_entity(text, number, 2**61 + 512).replace(
            f'"Added{number}"', f'"Other{number}"'))
        self.add_time(
            f"merge of the largest real model ({path.stat().st_size // 1024} KB), whole process", "ms", in_turn({
                "ours": [self.binary, "merge", "--ours", ours, "--theirs", theirs, "--base", path],
                "git merge-file": ["git", "merge-file", "-p", ours, path, theirs],
            }, 40 if self.quick else 300, check=False), 4)

    def published(self):
        """The merge driver with three published refs, of different versions, beside one."""
        path = max(CORPUS.glob("snapshots/*"), key=lambda p: p.stat().st_size)
        text = path.read_text()
        number = Model(text).last["entity"] + 1
        # In one repository the refs have given the id that the sides give, so that their history counts.
        for name, first in (("free", number + 3), ("contested", number)):
            repository = self.directory / f"published-{name}"
            repository.mkdir()
            git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@example.com"]
            run(["git", "init", "-q", "-b", "main", repository])
            for release in range(3):
                (repository / "model.json").write_text(
                    with_entity(text, number, 2**61 + release * 512))
                run(git + ["add", "model.json"])
                run(git + ["commit", "-q", "-m", str(release)])
                run(git + ["update-ref", f"refs/remotes/origin/release/{release}", "HEAD"])
            (repository / "base").write_text(text)
            (repository / "first").write_text(with_entity(text, first, 2**60))
            (repository / "theirs").write_text(with_entity(text, first, 2**60 + 512).replace(
                f'"Added{first}"', f'"Other{first}"'))
            commands = {}
            for count, role in ((3, "ours"), (1, "with one")):
                refs = ", ".join(f"refs/remotes/origin/release/{k}" for k in range(count))
                settings = repository / f"{count}.yml"
                settings.write_text(f"published: [{refs}]\n")
                commands[role] = [
                    "sh", "-c", f"cd '{repository}' && cp first ours && BOXJOINT_CONFIG={count}.yml "
                    f"'{self.binary}' merge-driver base ours theirs 7 model.json 2>/dev/null"]
            self.add_time(f"merge by the driver with three published refs, {name} ids, whole process", "ms",
                          in_turn(commands, 40 if self.quick else 300, check=False), 1.2)

    def generated(self):
        sizes, commands = {}, {}
        for entities in (500, 1000, 2000):
            paths = generate(self.directory, entities, 50)
            sizes[entities] = paths[0].stat().st_size / 1e6
            commands["ours", entities] = [
                self.binary, "merge", "--base", paths[0], "--ours", paths[1], "--theirs", paths[2]]
            commands["json-c", entities] = [self.json_c, *paths]
        # All sizes in turn, so that a machine that gets busy or slow is so for each of them.
        result = in_turn(commands, 3 if self.quick else 15)
        for entities, size in sizes.items():
            self.add_time(f"merge of a generated model, {entities} entities of 50 properties ({size:.1f} MB)", "s",
                          {"ours": result["ours", entities],
                           "json-c in C parsing the three files": result["json-c", entities]}, 5)
        megabytes = max(run.peak_mb for run in result["ours", 2000])
        self.add("peak memory of that", "MB", round(megabytes), {}, "at most 400", megabytes <= 400)
        growth, peer = (median(result[name, 2000]) / median(result[name, 500]) for name in ("ours", "json-c"))
        self.add("time for 4 times the size", "times", growth, {"json-c": peer}, "linear: at most 5", growth <= 5)


def generate(directory, entities, properties):
    """Base, ours and theirs of a model; each side adds an entity, properties and indexes."""
    base = model(entities, properties)
    ours, theirs = json.loads(base), json.loads(base)
    for side, shift in ((ours, 7), (theirs, 9)):
        for position in range(shift, len(side["entities"]), 50):
            entity = side["entities"][position]
            uid = 4_000_000_000_000_000 + shift * 10**12 + position * 4
            last = int(entity["lastPropertyId"].split(":")[0]) + 1
            index = int(side["lastIndexId"].split(":")[0]) + 1
            entity["lastPropertyId"] = f"{last}:{uid}"
            side["lastIndexId"] = f"{index}:{uid + 1}"
            entity["properties"].append({"id": f"{last}:{uid}", "name": f"added{shift}",
                                         "indexId": f"{index}:{uid + 1}", "type": 6, "flags": 8})
    paths = []
    for name, content in (("base", base), ("ours", json.dumps(ours, indent=2)),
                          ("theirs", json.dumps(theirs, indent=2))):
        path = directory / f"generated-{entities}-{name}.json"
        path.write_text(content)
        paths.append(path)
    return paths


def model(entities, properties):
    """A sound model; with 2,000 entities of 50 properties it is about 14 MB."""
    uid = 1_000_000_000_000_000_000
    root = {"_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
            "entities": []}
    index = 0
    for e in range(1, entities + 1):
        uid += 1000
        entity = {"id": f"{e}:{uid}", "lastPropertyId": "", "name": f"Entity{e}", "properties": []}
        for p in range(1, properties + 1):
            uid += 1000
            prop = {"id": f"{p}:{uid}", "name": "id" if p == 1 else f"property{p}OfEntity{e}"}
            if p % 10 == 0:
                index += 1
                prop["indexId"] = f"{index}:{uid + 1}"
            if p == 1:
                prop |= {"type": 6, "flags": 1}
            elif p % 10 == 0:
                prop |= {"type": 11, "flags": 520, "relationTarget": f"Entity{max(e - 1, 1)}"}
            else:
                prop["type"] = 9
            entity["properties"].append(prop)
            entity["lastPropertyId"] = prop["id"]
            last_index = f"{index}:{uid + 1}" if p % 10 == 0 else None
            if last_index:
                root_last_index = last_index
        entity["relations"] = []
        root["entities"].append(entity)
    root |= {"lastEntityId": root["entities"][-1]["id"], "lastIndexId": root_last_index,
             "lastRelationId": "0:0", "lastSequenceId": "0:0", "modelVersion": 5,
             "modelVersionParserMinimum": 5, "retiredEntityUids": [], "retiredIndexUids": [],
             "retiredPropertyUids": [], "retiredRelationUids": [], "version": 1}
    return json.dumps(root, indent=2)


def main():
    options = harness.arguments("model", "binary", "json-c")
    rows = harness.Rows(options)
    bench = Bench(options, rows)
    if CORPUS.is_dir():
        bench.identity()
        bench.triples()
        bench.largest()
        bench.published()
    else:
        print("no corpus of real model files here: only the generated one is measured",
              file=sys.stderr)
    bench.generated()
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
