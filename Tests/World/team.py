"""Developers with branches, remotes and a fork, and the releases that they make of them."""

import copy

import sources
from developer import MODEL, Developer
from edits import first
from models import Book, Model, Published
from schemas import MISSING, elements
from tools import Broken


class Names:
    """Keys and names that nothing else has."""

    def __init__(self, random):
        self.count, self.contention = 0, random.random() < 0.5

    def key(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    name = key


class Release:
    """A tag of main, and the files with which devices run it. `ends` has the entities of each relation to many that
    there ever was."""

    def __init__(self, tag, schema, directory, model, ends):
        self.tag, self.schema, self.directory, self.model, self.ends = tag, schema, directory, model, ends
        self.elements = elements(schema)
        self.has_rules = (directory / "model-App.rules.json").exists()
        for key, element in self.elements.items():
            if element.kind == "relation":
                ends[key] = (element.entity, element.target)


class Team:
    """The repositories of a world, and what the oracle knows of every commit in them."""

    def __init__(self, directory, programs, random):
        self.directory, self.programs, self.random = directory / "team", programs, random
        self.directory.mkdir()
        self.names, self.book, self.published = Names(random), Book(), Published()
        self.schemas, self.kinds, self.releases, self.ends = {}, {}, [], {}
        self.commits_bindings = random.random() < 0.5
        for name in ("hub", "fork"):
            programs.git(self.directory, "init", "--quiet", "--bare", "--initial-branch=main", f"{name}.git")
        self.hub, self.fork = self.directory / "hub.git", self.directory / "fork.git"
        self.developers = []
        self.begin()

    def begin(self):
        """The first commit, of which everybody has a clone."""
        ann = Developer("ann", self, self.hub)
        ann.git("checkout", "--quiet", "-B", "main")
        (ann.directory / ".gitignore").write_text("*.orig\n/generated/\n")
        schema = first(self.names)
        ann.generate(schema)
        ann.commit("Begin", schema)
        ann.git("push", "--quiet", "origin", "main")
        ann.git("push", "--quiet", self.fork, "main")
        self.developers = [ann, Developer("bo", self, self.hub), Developer("eve", self, self.fork, self.hub)]
        self.developers[2].git("fetch", "--quiet", "upstream")
        self.publish(ann)
        self.release(self.random)

    def schema_of(self, revision):
        return self.schemas[revision]

    def remember(self, revision, schema, kind):
        self.schemas.setdefault(revision, copy.deepcopy(schema))
        self.kinds.setdefault(revision, kind)

    def developer(self, random):
        return random.choice(self.developers)

    # Steps

    def edit(self, random):
        self.developer(random).edit(random)

    def branch(self, random):
        """Begins a branch, or goes to another one."""
        developer = self.developer(random)
        names = developer.git("branch", "--format=%(refname:short)").out.split()
        if random.random() < 0.5 or len(names) < 2:
            developer.branches += 1
            developer.git("checkout", "--quiet", "-b", f"{developer.name}-{developer.branches}")
        else:
            developer.git("checkout", "--quiet", random.choice(names))
            developer.generator()
            self.book.compare(developer.schema, developer.model(), generated=True)
            self.require_clean(developer, "the generator changes files after a checkout")

    def require_clean(self, developer, what):
        changed = developer.git("status", "--porcelain").out
        if changed:
            difference = developer.git("diff").out[:3000]
            raise Broken("clean tree", f"{developer.name}: {what}\n{changed}{difference}")

    def sync(self, random):
        """Takes the published main into a branch, by a merge or a rebase."""
        developer = self.developer(random)
        developer.git("fetch", "--quiet", "--all")
        if random.random() < 0.35:
            self.rebase(developer, developer.main, random)
        else:
            self.merge(developer, developer.main, random)

    def merge(self, developer, other, random, *options):
        ours, theirs = developer.revision(), developer.revision(other)
        bases = developer.git("merge-base", "--all", ours, theirs).out.split()
        if theirs in bases:
            return
        side = random.choice(["ours", "theirs"])
        developer.git("merge", "--quiet", *options, other, codes=(0, 1))
        base = self.schema_of(bases[0])
        if len(bases) > 1:
            base = self.joined(bases)
        if ours in bases and developer.revision() == theirs:
            self.repair(developer, theirs)
            return
        merged = developer.settle(base, self.schema_of(ours), self.schema_of(theirs), side)
        self.finish(developer, merged, "Merge")

    def joined(self, bases):
        """What several merge bases have in common; a merge of them decides nothing that these sides contest."""
        result = copy.deepcopy(self.schema_of(bases[0]))
        other = self.schema_of(bases[1])
        for part in result:
            for key in list(result[part]):
                if key not in other[part]:
                    del result[part][key]
        return result

    def repair(self, developer, revision):
        """Commits what a hook has fixed in the work tree."""
        if developer.git("status", "--porcelain").out:
            schema = self.schema_of(revision)
            developer.generate(schema)
            developer.commit(self.names.name("Fix "), schema)

    def finish(self, developer, merged, message):
        """Generates after a merge, and commits it."""
        developer.generate(merged)
        merging = (developer.directory / ".git/MERGE_HEAD").exists()
        if merging:
            developer.git("add", "--all")
            developer.git("commit", "--quiet", "--no-edit")
            self.remember(developer.revision(), merged, "merge")
        else:
            developer.commit(message, merged, "merge", amend=True)
        self.require_clean(developer, "files are left after a merge")

    def rebase(self, developer, onto, random):
        """Rebases the branch, and ends each step of it that git stops at."""
        ours, theirs = developer.revision(onto), developer.revision()
        base = developer.git("merge-base", ours, theirs).out.strip()
        if base == ours:
            return
        merges = developer.git("rev-list", "--merges", f"{base}..{theirs}").out.split()
        if merges:
            return self.merge(developer, onto, random)
        commits = developer.git("rev-list", "--reverse", "--topo-order", f"{base}..{theirs}").out.split()
        side = random.choice(["ours", "theirs"])
        answer = developer.git("rebase", onto, codes=(0, 1))
        schema = self.schema_of(ours)
        for commit in commits:
            parent = self.schema_of(developer.revision(commit + "^"))
            stopped = self.stopped_at(developer)
            if stopped == commit:
                schema = developer.settle(parent, schema, self.schema_of(commit), side)
                developer.generate(schema)
                developer.git("add", "--all")
                answer = developer.git("rebase", "--continue", codes=(0, 1))
            else:
                text = self.picked(developer, commit, onto)
                if text:
                    schema = developer.merged(parent, schema, self.schema_of(commit), side, Model(text))
        if answer.code or self.stopped_at(developer):
            raise Broken("rebase", f"it does not end\n{answer}")
        for revision in developer.git("rev-list", f"{ours}..HEAD").out.split():
            self.remember(revision, schema, "rebased")
        developer.generate(schema)
        developer.commit(self.names.name("Generate "), schema, "merge")

    def stopped_at(self, developer):
        path = developer.directory / ".git/rebase-merge/stopped-sha"
        return developer.revision(path.read_text().strip()) if path.exists() else None

    def picked(self, developer, commit, onto):
        """The model file in the commit that a rebase made of another one; None if it dropped that commit, as the branch
        below had the same change once."""
        subject = developer.git("log", "-1", "--format=%s", commit).out
        for line in developer.git("log", "--format=%H %s", f"{developer.revision(onto)}..HEAD").out.splitlines():
            if line.split(" ", 1)[1] == subject.strip():
                return developer.git("show", f"{line.split()[0]}:{MODEL}").out
        return None

    def land(self, random):
        """Takes the branch into main by way of the published main, and pushes it."""
        developer = self.developers[random.randrange(2)]
        branch = developer.git("rev-parse", "--abbrev-ref", "HEAD").out.strip()
        self.onto_main(developer, random)
        if branch != "main":
            self.merge(developer, branch, random, *(["--no-ff"] if random.random() < 0.5 else []))
        self.push(developer)

    def onto_main(self, developer, random):
        developer.git("fetch", "--quiet", "--all")
        developer.git("checkout", "--quiet", "main")
        if random.random() < 0.3:
            self.rebase(developer, developer.main, random)
        else:
            self.merge(developer, developer.main, random)

    def push(self, developer):
        if developer.git("push", "--quiet", "origin", "main", codes=(0, 1)).code:
            # The hook has fixed the file, and stops the push once (docs/git.md, "The hooks").
            self.repair(developer, developer.revision())
            developer.git("push", "--quiet", "origin", "main")
        self.publish(developer)

    def publish(self, developer):
        self.published.publish(developer.model())
        self.programs.box(developer.directory, "check", MODEL)

    def stash(self, random):
        """Puts changes aside, takes the published main, and takes them back."""
        developer = self.developer(random)
        developer.git("fetch", "--quiet", "--all")
        base, theirs = developer.schema, developer.edit(random, commits=False)
        developer.git("add", "--all")
        if not developer.git("diff", "--cached", "--quiet", codes=(0, 1)).code:
            return
        developer.git("stash", "--quiet")
        self.merge(developer, developer.main, random)
        side = random.choice(["ours", "theirs"])
        conflicts = developer.git("stash", "pop", codes=(0, 1)).code
        merged = developer.settle(base, developer.schema, theirs, side)
        if conflicts:
            developer.git("stash", "drop", "--quiet")
        developer.generate(merged)
        developer.commit(self.names.name("Unstash "), merged, "picked")
        self.require_clean(developer, "files are left after a stash")

    def lose(self, random):
        """Loses the model file, and finds it again by the bindings and the history."""
        developer = self.developer(random)
        developer.generator()
        lost = developer.model().parts
        (developer.directory / MODEL).unlink()
        developer.generator(codes=(1, 2))
        self.programs.box(developer.directory, "recover", "--output", MODEL)
        found = developer.model().parts
        if found != lost:
            wrong = {uid: (lost.get(uid), found.get(uid)) for uid in lost | found if lost.get(uid) != found.get(uid)}
            raise Broken("recover", f"lost and found: {wrong}")
        developer.git("checkout", "--quiet", "--", MODEL)

    def contribute(self, random):
        """The fork sends a branch, and one of the project takes it into main."""
        eve, developer = self.developers[2], self.developers[random.randrange(2)]
        if random.random() < 0.5:
            self.sync_fork(eve, random)
        eve.git("push", "--quiet", "--force", "--no-verify", "origin", "HEAD:refs/heads/sent")
        self.onto_main(developer, random)
        developer.git("fetch", "--quiet", self.fork, "+sent:refs/remotes/eve/sent")
        self.merge(developer, "eve/sent", random)
        self.push(developer)

    def sync_fork(self, eve, random):
        eve.git("fetch", "--quiet", "--all")
        self.merge(eve, "upstream/main", random)

    def pick(self, random):
        """Picks a commit of somebody else's branch."""
        developer = self.developer(random)
        other = random.choice([one for one in self.developers if one is not developer])
        developer.git("fetch", "--quiet", "--no-tags", other.directory, "+refs/heads/*:refs/remotes/picks/*")
        commits = [commit for commit in developer.git(
            "rev-list", "--no-merges", "-8", "--remotes=picks", "--not", "HEAD").out.split()
            if self.kinds.get(commit) == "plain"]
        if not commits:
            return
        commit = random.choice(commits)
        parent = developer.revision(commit + "^")
        if self.fits(self.schema_of(parent), self.schema_of(commit), developer.schema):
            answer = developer.git("cherry-pick", "--allow-empty", commit, codes=(0, 1))
            self.picked_up(developer, self.schema_of(parent), self.schema_of(commit), random, answer, "cherry-pick")

    def revert(self, random):
        """Takes a commit of the branch back."""
        developer = self.developer(random)
        commits = [commit for commit in developer.git("rev-list", "--no-merges", "-5", "HEAD").out.split()
                   if self.kinds.get(commit) == "plain"]
        if len(commits) < 2:
            return
        commit = random.choice(commits[:-1])
        parent = developer.revision(commit + "^", )
        if self.fits(self.schema_of(commit), self.schema_of(parent), developer.schema):
            answer = developer.git("revert", "--no-edit", commit, codes=(0, 1))
            self.picked_up(developer, self.schema_of(commit), self.schema_of(parent), random, answer, "revert")

    def picked_up(self, developer, base, theirs, random, answer, command):
        side = random.choice(["ours", "theirs"])
        head = developer.revision("HEAD" if answer.code else "HEAD^")
        ours = self.schema_of(head)
        merged = developer.settle(base, ours, theirs, side)
        developer.generate(merged)
        developer.git("add", "--all")
        names = ("REVERT_HEAD", "CHERRY_PICK_HEAD")
        if any((developer.directory / ".git" / name).exists() for name in names):
            if developer.git("diff", "--cached", "--quiet", codes=(0, 1)).code:
                developer.git("-c", "core.editor=true", command, "--continue")
            else:
                developer.git(command, "--skip")
            self.remember(developer.revision(), merged, "picked")
        else:
            developer.commit(self.names.name("Generate "), merged, "picked", amend=not answer.code)

    def fits(self, before, after, ours):
        """Whether a branch has all that a commit changes or refers to, so that it is clear what picking it means."""
        for part in before:
            for key in before[part]:
                if before[part][key] != after[part].get(key, MISSING) and key not in ours[part]:
                    return False
            for key, declaration in after[part].items():
                if declaration == before[part].get(key):
                    continue
                for member in declaration.get("members", {}).values():
                    wanted = [("entities", member.get("target")), ("structs", member.get("struct")),
                              ("enums", member.get("enum"))]
                    if any(name and name not in ours[kind] and name not in after[kind] for kind, name in wanted):
                        return False
                    if any(name and name not in ours[kind] and name in before[kind] for kind, name in wanted):
                        return False
        return True

    def release(self, random):
        """Tags the published main, and gives its files to devices."""
        developer = self.developers[0]
        developer.git("fetch", "--quiet", "origin")
        revision = developer.revision("origin/main")
        if self.releases and self.releases[-1].model == revision:
            return
        tag = f"v{len(self.releases) + 1}"
        developer.git("tag", tag, revision)
        developer.git("push", "--quiet", "--no-verify", "origin", tag)
        place = self.directory / "releases" / tag
        developer.git("worktree", "add", "--quiet", "--detach", place, revision)
        sources.copy(place, self.directory / "files" / tag)
        developer.git("worktree", "remove", "--force", place)
        for earlier in self.releases:
            self.programs.box(developer.directory, "check", "--against", f"{earlier.tag}:{MODEL}", f"{tag}:{MODEL}")
        if self.releases and random.random() < 0.5:
            # A step that loses data wants an approval (2), but none may differ from its plan (1).
            developer.git("checkout", "--quiet", "--detach", tag)
            self.programs.box(developer.directory, "migrate", "test", MODEL, "--tags", "v*", "--objects", "10",
                              codes=(0, 2))
            developer.git("checkout", "--quiet", "-")
        self.releases.append(Release(tag, self.schema_of(revision), self.directory / "files" / tag, revision,
                                     self.ends))
