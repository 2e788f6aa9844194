"""Validates the schemas, model files, and the program's outputs. Run by scripts/validate-schemas.

BOXJOINT_BINARY names the program. Prints a line for each kind of file and each problem, and exits
with 1 if there is a problem.
"""

import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
BINARY = os.environ["BOXJOINT_BINARY"]
MAXIMUM_SHOWN = 20

problems = []


def load_schemas():
    """Checks each schema, and that it describes what it allows; returns validators by name."""
    validators = {}
    for path in sorted((ROOT / "Schemas").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        for place in undescribed(schema):
            problems.append(f"{path.name}: {place} has no description")
        validators[path.name.removesuffix(".schema.json")] = Draft202012Validator(schema)
    print(f"schemas: {len(validators)} are sound: {', '.join(validators)}")
    return validators


def undescribed(schema, place="#"):
    """The places of properties without a description."""
    for name, inner in schema.get("properties", {}).items():
        if "description" not in inner:
            yield f"{place}/properties/{name}"
        yield from undescribed(inner, f"{place}/properties/{name}")
    for name, inner in schema.get("$defs", {}).items():
        yield from undescribed(inner, f"{place}/$defs/{name}")
    if "items" in schema:
        yield from undescribed(schema["items"], f"{place}/items")


def validate(validator, value, name):
    for error in validator.iter_errors(value):
        problems.append(f"{name}: {error.json_path}: {error.message[:200]}")


def validate_models(validator, paths, kind):
    """Validates the files that hold a model; the others are damaged, or something else, on purpose."""
    models = others = 0
    seen = set()
    for path in sorted(path for path in paths if path.is_file()):
        text = path.read_bytes()
        if text in seen:
            continue
        seen.add(text)
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        if isinstance(value, dict) and isinstance(value.get("entities"), list):
            validate(validator, value, path)
            models += 1
        else:
            others += 1
    print(f"{kind}: {models} different model files, {others} other files left out")


def refuse_malformed_models(validator):
    """Checks that the schema refuses what is no model, so that its approval means something."""
    sound = model((1, 1000, "Ant"))
    validate(validator, sound, "a small model")
    entity = sound["entities"][0]
    malformed = [
        [],
        {key: value for key, value in sound.items() if key != "entities"},
        sound | {"entities": {}},
        sound | {"lastEntityId": "1"},
        sound | {"lastEntityId": "01:1000"},
        sound | {"lastIndexId": 0},
        sound | {"retiredEntityUids": ["3000"]},
        sound | {"retiredEntityUids": [0]},
        sound | {"newUidPool": [2**63]},
        sound | {"entities": [entity | {"id": "0:0"}]},
        sound | {"entities": [entity | {"name": ""}]},
        sound | {"entities": [entity | {"flags": "2"}]},
        sound | {"entities": [entity | {"properties": [{"name": "id"}]}]},
        sound | {"entities": [entity | {"relations": [{"id": "1:2", "name": 3}]}]},
    ]
    for index, value in enumerate(malformed):
        if validator.is_valid(value):
            problems.append(f"model.schema.json: takes the malformed model {index}")
    print(f"malformed models: {len(malformed)} refused")


def model(*entities, last="1:1000"):
    """A model file with entities of given ids, UIDs and names, each with an id property."""
    return {
        "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
        "entities": [
            {
                "id": f"{id}:{uid}",
                "lastPropertyId": f"1:{uid + 1}",
                "name": name,
                "properties": [{"id": f"1:{uid + 1}", "name": "id", "type": 6, "flags": 1}],
                "relations": [],
            }
            for id, uid, name in entities
        ],
        "lastEntityId": last,
        **dict.fromkeys(["lastIndexId", "lastRelationId", "lastSequenceId"], "0:0"),
        **dict.fromkeys([f"retired{kind}Uids" for kind in ("Entity", "Index", "Property", "Relation")], []),
        "modelVersion": 5, "modelVersionParserMinimum": 5, "version": 1,
    }


# The commands whose outputs are validated, in this order in one directory: a schema, the statuses that are
# allowed, and the arguments. EACH is each of the model files of MODELS in turn, and WRONG that of a hostile name.
# "json" and "xml" are outputs without a schema of ours, "-" is none, ">FILE" keeps it, and "SCHEMA @FILE" is a file.
RUNS = """
findings 0 check base.json
findings 1 check WRONG base.json
json 1 check --format sarif WRONG base.json
xml 1 check --format junit WRONG base.json
show 0 show EACH
diff 0,1 diff base.json EACH
plan 0,1 plan theirs.json EACH
json 1 plan --format sarif WRONG base.json
xml 1 plan --format junit base.json WRONG
- 0 lock write --lock lock.json base.json theirs.json
lock @lock.json
xml 0 diagram base.json EACH
merge-report 0 merge --base base.json --ours ours.json --theirs theirs.json --output merged.json
merge-report 1 merge --base base.json --ours renamed.json --theirs renamed-otherwise.json --output merged.json
>marked.json 1 merge --base base.json --ours renamed.json --theirs renamed-otherwise.json --marker-style diff3
resolve-report 1 resolve --dry-run marked.json
>conflicts.json 1 resolve --dry-run marked.json --format json
"""
# With answers to the conflicts, and files for converters, imports and mappings.
MORE_RUNS = """
decisions @decisions.json
resolve-report 0 resolve --decisions decisions.json marked.json
converters @converters.json
- 0 converters lock --catalogue converters.json
converters-lock @converters.lock
findings 1 converters check --catalogue converters.json base.json
import 1 import --store store --model base.json --entity Ant --on-error skip ants.ndjson
mappings @mapping.json
migration 0 migrate --store store --to base.json --dry-run
store-info 0 store info store
findings 0 store verify store
store-entity 0 store info store Ant
store-edit 0 store put store Ant {} [{}] --dry-run
store-edit 0 store remove store Ant --all --dry-run
inference 0 model infer shapes.ndjson --nested json --output json.json --converters json-converters.json
model @json.json
converters @json-converters.json
inference 0 model infer shapes.ndjson --nested flatten --output flat.json --converters flat-converters.json
model @flat.json
converters @flat-converters.json
import 0 import --infer --store inferred --model imported.json --converters imported-converters.json shapes.ndjson
diff 0 model new edited.json Ant
diff 0 model add-property edited.json Ant.level long --indexed
diff 0 model add-entity edited.json Nest
diff 0 model add-relation edited.json Ant.nest Nest
diff 0 model rename edited.json Ant.level rank
diff 0 model set-flags edited.json Ant.rank --clear indexed
diff 0 model remove edited.json Ant.nest
diff 0 model set-type edited.json Ant.rank string --reset
model @edited.json
- 0 import --store levels --model levels.json --entity Ant levels.ndjson
converter-scan 1 converters scan --catalogue scanned.json --store levels
store-duplicates 1 store duplicates levels Ant.level
store-compact 0 store compact levels --purge --dry-run
store-compact 0 store compact levels
query-result 0 query store Ant
query-plan 0 query store Ant --explain
- 0 export --store store --output dump.ndjson
- 0 export --store store --shape directory --output dump
dump-manifest @dump/manifest.json
dump-verify 0 dump verify dump.ndjson
dump-verify 0 dump verify dump
dump-diff 0 dump diff dump.ndjson dump
"""
REPOSITORY_RUNS = """
config 0 config
git-status 1 git status
- 0 git install
git-status 0 git status
- 0 git uninstall
recover 0 recover --explain
recover 0,1 recover --fact Ant=1:1001
history 0 history model.json
branch-merge 0 merge v1 --into v2
branch-merge 74 ci merge nosuch --local
plan-matrix 0,1 plan --all-tags model.json
migration-test 0,1,2 migrate test model.json
"""


def run(validators, runs, directory):
    """Runs commands in a directory, and validates what they print; a problem if one ends with another status."""
    for line in runs.strip().splitlines():
        for path in MODELS if "EACH" in line else [""]:
            schema, statuses, *arguments = [
                word.replace("EACH", f"{path}.json").replace("WRONG", f"{WRONG}.json") for word in line.split()]
            if statuses.startswith("@"):
                validate(validators[schema], json.loads((directory / statuses[1:]).read_text("utf-8")), statuses)
                continue
            if schema in validators:
                arguments += ["--format", "json"]
            done = subprocess.run([BINARY, *arguments], capture_output=True, check=False, cwd=directory)
            if str(done.returncode) not in statuses.split(","):
                message = done.stderr.decode(errors="replace").strip()
                problems.append(f"{' '.join(arguments)}: status {done.returncode}: {message}")
            elif schema.startswith(">"):
                (directory / schema[1:]).write_bytes(done.stdout)
            elif schema == "xml":
                xml.etree.ElementTree.fromstring(done.stdout)
            elif schema == "json":
                json.loads(done.stdout)
            elif schema != "-":
                try:
                    validate(validators[schema], json.loads(done.stdout), " ".join(arguments))
                except (KeyError, ValueError) as error:
                    problems.append(f"{' '.join(arguments)}: no JSON, or no schema {schema}: {error}")


WRONG = "wrong \u202e|%0A"
MODELS = {
    "base": model((1, 1000, "Ant")),
    "ours": model((1, 1000, "Ant"), (2, 2000, "Wasp"), last="2:2000"),
    "theirs": model((1, 1000, "Ant"), (2, 3000, "Bear"), last="2:3000"),
    WRONG: model((1, 1000, "Ant"), (1, 2000, "Wasp")),
    "renamed": model((1, 1000, "Emmet")),
    "renamed-otherwise": model((1, 1000, "Formica")),
}
# Files that the commands of MORE_RUNS read.
FILES = {
    "converters.json": {
        "types": {"Level": {"type": "enum", "values": {"low": 0, "high": 9}}},
        "properties": {"Ant.level": {"type": "Level", "default": "low", "unknown": None}},
        "mappings": {"Ant": {"properties": {"level": "/a~1b/0"}, "rest": "other"}},
    },
    "mapping.json": {
        "types": {"Level": {"type": "enum", "values": {"low": 0}}},
        "mappings": [
            {"from": "v1", "to": "v2", "entities": [
                {"delete": "Bee"}, {"insert": "Cat"}, {"copy": "Dog", "to": "Emu"},
                {"transform": "Ant", "make": [
                    {"to": "Ant", "ids": "same", "when": [{"property": "a", "isNot": [1]}],
                     "properties": {"b": {"from": "c", "read": "Level", "unfit": "null"}}},
                ]},
            ]},
        ],
    },
    "scanned.json": {"properties": {"Ant.level": {"type": "enum", "values": {"one": 1}}}},
}
LINES = {
    "ants.ndjson": '{"id":1}\n{"id":1}\n',
    "shapes.ndjson": '{"id":1,"a.b":[1,"x"],"c":{"d":1}}\n{"id":2,"c":1e400,"e":"2024-02-29"}\n',
    "levels.ndjson": '{"id":1,"level":1}\n{"id":2,"level":7}\n{"id":3,"level":1}\n',
}


def write(path, value):
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def validate_outputs(validators, directory):
    """Runs each command that prints JSON on sound, wrong and conflicting inputs."""
    for name, value in MODELS.items():
        write(directory / f"{name}.json", value)
    run(validators, RUNS, directory)
    report = json.loads((directory / "conflicts.json").read_bytes())
    ids = [conflict["id"] for file in report["files"] for conflict in file["conflicts"]]
    write(directory / "decisions.json", {"schemaVersion": 1, "decisions": dict.fromkeys(ids, "theirs")})
    for name, value in FILES.items():
        write(directory / name, value)
    for name, text in LINES.items():
        (directory / name).write_text(text, encoding="utf-8")
    levels = model((1, 1000, "Ant"))
    levels["entities"][0]["lastPropertyId"] = "2:1002"
    levels["entities"][0]["properties"].append({"id": "2:1002", "name": "level", "type": 6})
    write(directory / "levels.json", levels)
    run(validators, MORE_RUNS, directory)
    header, *lines = (directory / "dump.ndjson").read_text(encoding="utf-8").splitlines()
    validate(validators["dump-header"], json.loads(header)["@boxjoint"], "dump: header")
    for line in lines:
        validate(validators["dump-line"], json.loads(line), "dump: line")
    validate_repository(validators, directory / "repository")


def validate_repository(validators, directory):
    """Runs the commands that look into a repository of git."""
    def git(*arguments):
        subprocess.run(["git", "-C", directory, *arguments], check=True, capture_output=True)

    directory.mkdir()
    git("init", "--quiet", "--initial-branch", "main")
    for key, value in [("user.name", "A"), ("user.email", "a@example.org"), ("commit.gpgsign", "false")]:
        git("config", key, value)
    for name, version in [("v1", MODELS["base"]), ("v2", MODELS["renamed"])]:
        write(directory / "model.json", version)
        git("add", "model.json")
        git("commit", "--quiet", "--message", name)
        git("tag", name)
    run(validators, REPOSITORY_RUNS, directory)
    removed = model(last="1:1000") | {"retiredEntityUids": [1000], "retiredPropertyUids": [1001]}
    write(directory / "model.json", removed)
    run(validators, ">plan.json 0,1 plan --format json model.json", directory)
    fingerprint = json.loads((directory / "plan.json").read_bytes())["steps"][0]["fingerprint"]
    run(validators, f"- 0 plan approve {fingerprint} --reason unused\n"
        "approvals @.boxjoint-approvals.json", directory)


def main():
    validators = load_schemas()
    refuse_malformed_models(validators["model"])
    fixtures = (ROOT / "Tests").glob("**/Fixtures/**/*.json")
    models = [path for path in fixtures if "dumps" not in path.parts]
    validate_models(validators["model"], models, "fixtures")
    if CORPUS.is_dir():
        validate_models(validators["model"], CORPUS.glob("**/*.json"), "corpus")
    with tempfile.TemporaryDirectory() as directory:
        validate_outputs(validators, Path(directory))
    print(f"outputs: of {(RUNS + MORE_RUNS + REPOSITORY_RUNS).count(chr(10))} commands and files")
    for problem in problems[:MAXIMUM_SHOWN]:
        print(f"problem: {problem}", file=sys.stderr)
    if len(problems) > MAXIMUM_SHOWN:
        print(f"problem: and {len(problems) - MAXIMUM_SHOWN} more", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
