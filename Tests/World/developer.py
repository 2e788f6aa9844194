"""A developer with a clone: sources, the generator, and merges of every kind."""

import copy
import re

import sources
from edits import Editor
from models import Model
from schemas import MISSING, elements, elements_at, merge, prune, same
from tools import Broken

MODEL = "model-App.json"


class Developer:
    """A clone, and what is in it: the declarations of the branch that is checked out."""

    def __init__(self, name, team, origin, upstream=None):
        self.name, self.team, self.programs = name, team, team.programs
        self.directory = team.directory / name
        self.git("clone", "--quiet", origin, self.directory, at=team.directory)
        if upstream:
            self.git("remote", "add", "upstream", upstream)
        self.main = "upstream/main" if upstream else "origin/main"
        self.programs.box(self.directory, "git", "install")
        self.branches = 0

    def git(self, *arguments, codes=(0,), at=None):
        return self.programs.git(at or self.directory, *arguments, codes=codes)

    def revision(self, name="HEAD"):
        return self.git("rev-parse", name).out.strip()

    @property
    def schema(self):
        return self.team.schema_of(self.revision())

    def model(self):
        return Model((self.directory / MODEL).read_text())

    def generator(self, *options, codes=(0,)):
        output = self.directory / ("Sources/App/generated" if self.team.commits_bindings else "generated")
        answer = self.programs.run(
            [self.programs.generator, "--sources", "Sources/App", "--model-json", MODEL, "--module", "App",
             "--converters", "converters-App.yml", "--output", output / "EntityInfo-App.generated.swift", *options],
            self.directory, codes=codes)
        return answer

    def write(self, schema, marks=None):
        sources.write(schema, self.directory / "Sources/App", marks)

    def generate(self, schema, marks=None, stated=None):
        """Writes declarations, and runs the generator twice: the first run keeps all UIDs, and the second nothing
        changes."""
        self.write(schema, marks)
        self.generator()
        self.programs.planted.touch("generated model", self.directory / MODEL)
        self.team.book.compare(schema, self.model(), generated=True, expected=stated)
        if self.team.random.random() < 0.3:
            self.generator("--check")

    def edit(self, random, commits=True):
        """Edits the sources, generates and commits. Without a commit it returns the declarations."""
        schema = self.schema
        if not self.team.commits_bindings:
            # Whoever edits has built before. Without bindings, an entity that goes could be that of another target.
            self.generator()

        def ask(edit, marks, word):
            self.write(edit.schema if word == "Convert" else schema, marks)
            answer = self.generator(codes=(1,))
            offered = [int(uid) for uid in re.findall(r"uid = (\d+)", answer.out + answer.err)]
            if word not in answer.out + answer.err or not offered:
                raise Broken("offered UID", f"the generator does not stop with {word}\n{answer}")
            return offered

        edit = Editor(random, self.team.names, self.team.book, ask).edit(schema)
        self.generate(edit.schema, edit.marks, edit.stated)
        if random.random() < 0.7:
            # The annotations of a rename may stay or go.
            self.generate(edit.schema)
        if not commits:
            return edit.schema
        return self.commit(self.team.names.name("Edit "), edit.schema, edit.kind)

    def commit(self, message, schema, kind="plain", amend=False):
        self.git("add", "--all")
        staged = self.git("diff", "--cached", "--quiet", codes=(0, 1)).code
        if staged:
            self.git("commit", "--quiet", "-m", message, *(["--amend"] if amend else []))
        self.team.remember(self.revision(), schema, kind)

    def conflicted(self):
        return self.git("diff", "--name-only", "--diff-filter=U").out.split()

    def settle(self, base, ours, theirs, side):
        """Ends what git left of a merge of three versions: conflicts of the model as `side` says, everything else as
        the declarations of both sides say. Returns the merged declarations."""
        files = self.conflicted()
        if MODEL in files:
            self.programs.box(self.directory, "resolve", "--take", side, MODEL)
        for path in files:
            if not path.startswith("Sources/App/e") and path != MODEL and "/generated/" not in path:
                self.git("checkout", "--ours", "--", path, codes=(0, 1))
            if "/generated/" in path:
                (self.directory / path).unlink(missing_ok=True)
        self.programs.planted.touch("merged model", self.directory / MODEL)
        model = self.model()
        merged = self.merged(base, ours, theirs, side, model)
        try:
            self.team.book.compare(merged, model, generated=False, begun=self.begun)
        except Broken as broken:
            broken.args = (f"{broken}\nours: {changes(base, ours)}\ntheirs: {changes(base, theirs)}\ntaken: {side}",)
            raise
        self.build(merged, files)
        return merged

    def build(self, merged, conflicted):
        """Generates with the sources as git has merged them, where they had no conflict and name nothing that the other
        branch has renamed; else a developer writes them as both sides meant."""
        if any(path.startswith("Sources") for path in conflicted):
            return self.write(merged)
        if self.generator(codes=(0, 1, 2)).code:
            return self.write(merged)
        self.team.book.compare(merged, self.model(), generated=True)

    def merged(self, base, ours, theirs, side, model):
        book = self.team.book
        lookups = [elements(schema) for schema in (ours, theirs)]

        def choose(path, before, mine, other):
            keys = elements_at(path, base, ours, theirs)
            alive = [key for key in keys if book.live(model, key)]
            if mine is MISSING or other is MISSING:
                kept = other if mine is MISSING else mine
                if not keys:
                    return copy.deepcopy(kept)
                return copy.deepcopy(kept) if alive else MISSING
            if alive and not isinstance(mine, dict):
                part = model.parts[book.uids[alive[0]]]
                for value, lookup in zip((mine, other), lookups):
                    element = lookup.get(alive[0])
                    if element and agrees(path[-1], element, part):
                        if not agrees_both(path[-1], alive[0], lookups):
                            return value
            return mine if side == "ours" else other

        merged = merge(base, ours, theirs, choose)
        self.begun = begin_again(merged, base, ours, theirs, choose) | begin_again(merged, base, theirs, ours, choose)
        for schema in (ours, theirs):
            # An entity that one side removed stays where the other added a relation to it, if the merge says so.
            for key, entity in schema["entities"].items():
                if key not in merged["entities"] and book.live(model, key):
                    merged["entities"][key] = copy.deepcopy(entity)
        self.unify(prune(merged), model, base, ours, theirs)
        return merged

    def unify(self, merged, model, *versions):
        """Where both sides added something of one name, the model says which stays, and under which name."""
        for entity in merged["entities"].values():
            seen = {}
            for key, member in list(entity["members"].items()):
                seen.setdefault(member["name"], []).append(key)
            for name, keys in seen.items():
                if len(keys) < 2:
                    continue
                alive = [key for key in keys if self.team.book.live(model, key)]
                if len(alive) == 1 or not alive:
                    for key in keys:
                        if key not in alive:
                            del entity["members"][key]
                    continue
                for key in alive:
                    given = model.parts[self.team.book.uids[key]]["name"]
                    known = {element.name for version in versions
                             for known_key, element in elements(version).items() if known_key == key}
                    if given not in known:
                        raise Broken("merged model: name", f"{key} is called {given}, and was called {known}")
                    entity["members"][key]["name"] = given


def changes(before, after, path=""):
    """What one side did, as text."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [line for key in {**before, **after}
                for line in changes(before.get(key, MISSING), after.get(key, MISSING), f"{path}/{key}")]
    return [] if same(before, after) else [f"{path}: {before} -> {after}"]


def begin_again(merged, base, side, other, choose):
    """Gives what one side removed and made again, by a reset, the fields that the other side changed in it meanwhile
    (docs/merging.md, "Removed and made again"). Returns the keys of these members."""
    begun = set()
    for entity_key, entity in merged["entities"].items():
        before, after, there = (schema["entities"].get(entity_key, {}).get("members", {})
                                for schema in (base, side, other))
        for key in [key for key in entity["members"] if key in after and key not in before]:
            for old, member in before.items():
                # With another type or target it is not the same again.
                same_as = all(member.get(field) == after[key].get(field) for field in ("name", "kind", "type", "target"))
                if old in after or old not in there or not same_as:
                    continue
                entity["members"][key] = merge(member, after[key], there[old], choose,
                                               ("entities", entity_key, "members", key))
                begun.add(key)
    return begun


def agrees(field, element, part):
    """Whether a part of a model has what a version of its declaration says in one field."""
    if field == "name":
        return element.name == part["name"]
    if element.kind != "property":
        return True
    if field == "type":
        return element.code == part["code"] and (element.flags ^ part["flags"]) & 8192 == 0
    if field in ("index", "unique", "replace"):
        return element.flags == part["flags"]
    return True


def agrees_both(field, key, lookups):
    """Whether the model cannot tell the two versions of a field apart."""
    sides = [lookup.get(key) for lookup in lookups]
    if None in sides:
        return False
    left, right = sides
    if field == "name":
        return left.name == right.name
    if left.kind != "property":
        return True
    return left.flags == right.flags and left.code == right.code
