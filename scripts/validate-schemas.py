"""Validates the schemas, model files, and the program's outputs. Run by scripts/validate-schemas.

BOXJOINT_BINARY names the program. Prints a line for each kind of file and each problem, and exits
with 1 if there is a problem.
"""

import json
import os
import re
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


def commands():
    """The commands that the program lists in its help."""
    result = subprocess.run([BINARY, "--help"], capture_output=True, text=True, check=False)
    _, _, listed = result.stdout.partition("SUBCOMMANDS:\n")
    return set(re.findall(r"^  ([a-z][a-z-]*)", listed, re.MULTILINE))


def run(*arguments, statuses, cwd=None):
    """What the program prints; a problem if it ends with another status."""
    command = [BINARY, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, check=False, cwd=cwd)
    if result.returncode not in statuses:
        message = result.stderr.decode(errors="replace").strip()
        problems.append(f"{' '.join(map(str, arguments))}: status {result.returncode}: {message}")
    return result.stdout


def run_json(validators, schema, *arguments, statuses=(0, 1)):
    name = " ".join(map(str, arguments))
    output = run(*arguments, statuses=statuses)
    if schema not in validators:
        problems.append(f"{name}: there is no Schemas/{schema}.schema.json for it")
        return
    try:
        validate(validators[schema], json.loads(output), name)
    except ValueError as error:
        problems.append(f"{name}: does not print JSON: {error}")


def validate_lines(validators, text, name):
    """Validates a dump of lines: its header, and every line after it."""
    header, *lines = text.decode().splitlines()
    validate(validators["dump-header"], json.loads(header)["@boxjoint"], f"{name}: header")
    for line in lines:
        validate(validators["dump-line"], json.loads(line), f"{name}: line")


def validate_repository(validators, here, sound, directory):
    """Runs the commands that look into a repository of git."""
    def git(*arguments):
        subprocess.run(["git", "-C", directory, *arguments], check=True, capture_output=True)

    def tool(schema, *arguments, statuses=(0, 1)):
        os.chdir(directory)
        run_json(validators, schema, *arguments, "--format", "json", statuses=statuses)

    directory.mkdir()
    before = os.getcwd()
    file = directory / "model.json"
    git("init", "--quiet", "--initial-branch", "main")
    for name, version in [("v1", sound), ("v2", model((1, 1000, "Emmet")))]:
        file.write_text(json.dumps(version, indent=2), encoding="utf-8")
        git("add", "model.json")
        git(
            "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false",
            "commit", "--quiet", "--message", name,
        )
        git("tag", name)
    if "config" in here:
        tool("config", "config", statuses=[0])
    if "git" in here:
        tool("git-status", "git", "status", statuses=[1])
        run("git", "install", statuses=[0])
        tool("git-status", "git", "status", statuses=[0])
        run("git", "uninstall", statuses=[0])
    if "recover" in here:
        tool("recover", "recover", "--explain", statuses=[0])
        tool("recover", "recover", "--fact", "Ant=1:1001", statuses=[0, 1])
    if "history" in here:
        tool("history", "history", "model.json", statuses=[0])
    if "ci" in here:
        tool("branch-merge", "merge", "v1", "--into", "v2", statuses=[0])
        tool("branch-merge", "ci", "merge", "nosuch", "--local", statuses=[74])
    if "plan" in here:
        tool("plan-matrix", "plan", "--all-tags", "model.json")
        removed = model(last="1:1000") | {"retiredEntityUids": [1000], "retiredPropertyUids": [1001]}
        file.write_text(json.dumps(removed, indent=2), encoding="utf-8")
        os.chdir(directory)
        plan = json.loads(run("plan", "--format", "json", "model.json", statuses=[0, 1]))
        fingerprint = plan["steps"][0]["fingerprint"]
        git("config", "user.name", "A")
        run("plan", "approve", fingerprint, "--reason", "it was never used", statuses=[0])
        approvals = json.loads((directory / ".boxjoint-approvals.json").read_text(encoding="utf-8"))
        validate(validators["approvals"], approvals, "approvals")
    os.chdir(before)


def validate_store(validators, here, store, directory):
    """Runs the commands that print what is in a store."""
    if "store" in here:
        run_json(validators, "store-info", "store", "info", store, "--format", "json", statuses=[0])
        run_json(validators, "findings", "store", "verify", store, "--format", "json", statuses=[0])
        entity = ["store", "info", store, "Ant", "--format", "json"]
        run_json(validators, "store-entity", *entity, statuses=[0])
        put = ["store", "put", store, "Ant", "{}", "[{}]", "--dry-run", "--format", "json"]
        run_json(validators, "store-edit", *put, statuses=[0])
        remove = ["store", "remove", store, "Ant", "--all", "--dry-run", "--format", "json"]
        run_json(validators, "store-edit", *remove, statuses=[0])
    if {"model", "import"} <= here:
        validate_new_models(validators, directory)
    if {"converters", "import"} <= here:
        catalogue, levels = directory / "scanned.json", model((1, 1000, "Ant"))
        catalogue.write_text(
            json.dumps({"properties": {"Ant.level": {"type": "enum", "values": {"one": 1}}}}),
            encoding="utf-8",
        )
        levels["entities"][0]["lastPropertyId"] = "2:1002"
        levels["entities"][0]["properties"].append({"id": "2:1002", "name": "level", "type": 6})
        (directory / "levels.json").write_text(json.dumps(levels), encoding="utf-8")
        (directory / "levels.ndjson").write_text(
            '{"id":1,"level":1}\n{"id":2,"level":7}\n{"id":3,"level":1}\n', encoding="utf-8"
        )
        run(
            "import", "--store", directory / "levels", "--model", directory / "levels.json",
            "--entity", "Ant", directory / "levels.ndjson", statuses=[0],
        )
        run_json(
            validators, "converter-scan", "converters", "scan", "--catalogue", catalogue,
            "--store", directory / "levels", "--format", "json", statuses=[1],
        )
        duplicates = ["store", "duplicates", directory / "levels", "Ant.level", "--format", "json"]
        run_json(validators, "store-duplicates", *duplicates, statuses=[1])
    if "query" in here:
        query = ["query", store, "Ant", "--format", "json"]
        run_json(validators, "query-result", *query, statuses=[0])
        run_json(validators, "query-plan", *query, "--explain", statuses=[0])
    if not {"export", "dump"} <= here:
        return
    lines, directory = directory / "dump.ndjson", directory / "dump"
    run("export", "--store", store, "--output", lines, statuses=[0])
    validate_lines(validators, lines.read_bytes(), "dump")
    run("export", "--store", store, "--shape", "directory", "--output", directory, statuses=[0])
    manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
    validate(validators["dump-manifest"], manifest, "manifest")
    for dump in [lines, directory]:
        run_json(validators, "dump-verify", "dump", "verify", dump, "--format", "json", statuses=[0])
    run_json(
        validators, "dump-diff", "dump", "diff", lines, directory, "--format", "json", statuses=[0]
    )


def validate_new_models(validators, directory):
    """Runs the commands that infer and edit models."""
    ants, edited = directory / "ants.ndjson", directory / "edited.json"
    ants.write_text('{"id":1,"a.b":[1,"x"],"c":{"d":1}}\n{"id":2,"c":1e400,"e":"2024-02-29"}\n')
    for nested in ["json", "flatten"]:
        inferred = directory / f"{nested}.json"
        run_json(
            validators, "inference", "model", "infer", ants, "--nested", nested, "--output", inferred,
            "--converters", directory / f"{nested}-converters.json", "--format", "json", statuses=[0],
        )
        validate(validators["model"], json.loads(inferred.read_text(encoding="utf-8")), nested)
        converters = json.loads((directory / f"{nested}-converters.json").read_text(encoding="utf-8"))
        validate(validators["converters"], converters, f"{nested}: converters")
    imported = directory / "imported.json"
    run_json(
        validators, "import", "import", "--infer", "--store", directory / "inferred", "--model", imported,
        "--converters", directory / "imported-converters.json", ants, "--format", "json", statuses=[0],
    )
    run_json(validators, "diff", "model", "new", edited, "Ant", "--format", "json", statuses=[0])
    validate(validators["model"], json.loads(edited.read_text(encoding="utf-8")), "model new")
    for edit in [
        ["add-property", edited, "Ant.level", "long", "--indexed"], ["add-entity", edited, "Nest"],
        ["add-relation", edited, "Ant.nest", "Nest"], ["rename", edited, "Ant.level", "rank"],
        ["set-flags", edited, "Ant.rank", "--clear", "indexed"], ["remove", edited, "Ant.nest"],
        ["set-type", edited, "Ant.rank", "string", "--reset"],
    ]:
        run_json(validators, "diff", "model", *edit, "--format", "json", statuses=[0])
        validate(validators["model"], json.loads(edited.read_text(encoding="utf-8")), edit[0])


def model(*entities, last="1:1000"):
    """A model file with entities of given ids, UIDs and names, each with an id property."""
    return {
        "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
        "_note2": "ObjectBox manages crucial IDs for your object model. See docs for details.",
        "_note3": "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
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
        "lastIndexId": "0:0",
        "lastRelationId": "0:0",
        "lastSequenceId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 5,
        "retiredEntityUids": [],
        "retiredIndexUids": [],
        "retiredPropertyUids": [],
        "retiredRelationUids": [],
        "version": 1,
    }


def validate_outputs(validators, directory):
    """Runs each command that prints JSON on a sound, a wrong and a conflicting input."""
    here = commands()
    bear = model((1, 1000, "Ant"), (2, 3000, "Bear"), last="2:3000")
    files = {
        "base": model((1, 1000, "Ant")),
        "ours": model((1, 1000, "Ant"), (2, 2000, "Wasp"), last="2:2000"),
        "theirs": bear,
        "wrong \u202e|%0A": model((1, 1000, "Ant"), (1, 2000, "Wasp")),
        "renamed": model((1, 1000, "Emmet")),
        "renamed-otherwise": model((1, 1000, "Formica")),
    }
    paths = {}
    for name, value in files.items():
        paths[name] = directory / f"{name}.json"
        paths[name].write_text(json.dumps(value, indent=2), encoding="utf-8")
    sound, wrong = paths["base"], paths["wrong \u202e|%0A"]

    if "check" in here:
        run_json(validators, "findings", "check", "--format", "json", sound, statuses=[0])
        run_json(validators, "findings", "check", "--format", "json", wrong, sound, statuses=[1])
        json.loads(run("check", "--format", "sarif", wrong, sound, statuses=[1]))
        xml.etree.ElementTree.fromstring(
            run("check", "--format", "junit", wrong, sound, statuses=[1])
        )
    if "show" in here:
        for path in paths.values():
            run_json(validators, "show", "show", "--format", "json", path, statuses=[0])
    if "diff" in here:
        for path in paths.values():
            run_json(
                validators, "diff", "diff", "--format", "json", paths["base"], path,
                statuses=[0, 1]
            )
    if "plan" in here:
        for path in paths.values():
            run_json(
                validators, "plan", "plan", "--format", "json", paths["theirs"], path,
                statuses=[0, 1]
            )
        json.loads(run("plan", "--format", "sarif", wrong, sound, statuses=[1]))
        xml.etree.ElementTree.fromstring(
            run("plan", "--format", "junit", sound, wrong, statuses=[1])
        )
    if "lock" in here:
        locks = directory / "lock.json"
        # Locked versions are named from the top of the repository, here the directory.
        versions = [sound.name, paths["theirs"].name]
        run("lock", "write", "--lock", locks.name, *versions, statuses=[0], cwd=directory)
        validate(validators["lock"], json.loads(locks.read_text(encoding="utf-8")), "lock")
    if "diagram" in here:
        for path in paths.values():
            xml.etree.ElementTree.fromstring(run("diagram", sound, path, statuses=[0]))
    if "merge" in here:
        for ours, theirs, status in [
            ("ours", "theirs", 0),
            ("renamed", "renamed-otherwise", 1),
        ]:
            run_json(
                validators, "merge-report", "merge", "--format", "json", "--base", paths["base"],
                "--ours", paths[ours], "--theirs", paths[theirs],
                "--output", directory / "merged.json", statuses=[status],
            )
    if {"merge", "resolve"} <= here:
        marked = directory / "marked.json"
        marked.write_bytes(
            run(
                "merge", "--base", paths["base"], "--ours", paths["renamed"],
                "--theirs", paths["renamed-otherwise"], "--marker-style", "diff3", statuses=[1],
            )
        )
        run_json(
            validators, "resolve-report", "resolve", "--dry-run", "--format", "json", marked,
            statuses=[1],
        )
        report = json.loads(run("resolve", "--dry-run", "--format", "json", marked, statuses=[1]))
        ids = [conflict["id"] for file in report["files"] for conflict in file["conflicts"]]
        decisions = {"schemaVersion": 1, "decisions": dict.fromkeys(ids, "theirs")}
        validate(validators["decisions"], decisions, "decisions")
        chosen = directory / "decisions.json"
        chosen.write_text(json.dumps(decisions), encoding="utf-8")
        run_json(
            validators, "resolve-report", "resolve", "--decisions", chosen, "--format", "json",
            marked, statuses=[0],
        )
    if "converters" in here:
        catalogue = {
            "types": {"Level": {"type": "enum", "values": {"low": 0, "high": 9}}},
            "properties": {"Ant.level": {"type": "Level", "default": "low", "unknown": None}},
            "mappings": {"Ant": {"properties": {"level": "/a~1b/0"}, "rest": "other"}},
        }
        validate(validators["converters"], catalogue, "catalogue")
        chosen, lock = directory / "converters.json", directory / "converters.lock"
        chosen.write_text(json.dumps(catalogue), encoding="utf-8")
        run("converters", "lock", "--catalogue", chosen, statuses=[0])
        validate(validators["converters-lock"], json.loads(lock.read_bytes()), "lock")
        run_json(
            validators, "findings", "converters", "check", "--catalogue", chosen,
            "--format", "json", sound, statuses=[1],
        )
    if "import" in here:
        lines = directory / "ants.ndjson"
        lines.write_text('{"id":1}\n{"id":1}\n', encoding="utf-8")
        run_json(
            validators, "import", "import", "--store", directory / "store", "--model", sound,
            "--entity", "Ant", "--on-error", "skip", "--format", "json", lines, statuses=[1],
        )
        mapping = {
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
        }
        validate(validators["mappings"], mapping, "mapping")
        run_json(
            validators, "migration", "migrate", "--store", directory / "store", "--to", sound,
            "--dry-run", "--format", "json", statuses=[0],
        )
        validate_store(validators, here, directory / "store", directory)
    validate_repository(validators, here, files["base"], directory / "repository")
    tried = {
        "check", "show", "diff", "plan", "lock", "diagram", "merge", "resolve", "converters", "import",
        "migrate", "model", "config", "git", "history", "store", "export", "query", "dump",
        "recover", "ci",
    }
    print(f"outputs: of {', '.join(sorted(tried & here)) or 'no command yet'}")


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
    for problem in problems[:MAXIMUM_SHOWN]:
        print(f"problem: {problem}", file=sys.stderr)
    if len(problems) > MAXIMUM_SHOWN:
        print(f"problem: and {len(problems) - MAXIMUM_SHOWN} more", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
