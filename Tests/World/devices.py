"""Devices that run releases of the app: their stores, and everything that is done to them by commands."""

import json
import os
import shutil

import faults
import values
from oracle import Refused, Store
from schemas import TO_ONE, UNIQUE_FLAG
from tools import Broken
from views import Views


class Device:
    """A store in a directory, and what it has to be."""

    def __init__(self, name, directory, release):
        self.name, self.directory, self.store = name, directory, Store(release)
        self.path = directory / "store"

    @property
    def release(self):
        return self.store.release


class Devices:
    """All devices of a world."""

    STEPS = {"install": 2, "put": 8, "change": 6, "remove": 3, "remove_and_restore": 2, "link": 4, "load": 4,
             "upgrade": 5, "downgrade": 2, "query": 3, "copy": 2, "compact": 1, "exports": 1, "session": 2, "crowd": 1,
             "kill": 1, "fill_disk": 1}

    def __init__(self, directory, programs, team):
        self.directory, self.programs, self.team = directory / "devices", programs, team
        self.directory.mkdir()
        self.devices, self.count = [], 0
        self.views = Views(programs)

    def box(self, device, *arguments, codes=(0,), input=""):
        return self.programs.box(device.directory, *arguments, codes=codes, input=input)

    def model(self, release):
        return release.directory / "model-App.json"

    def fresh(self, release, store=None):
        self.count += 1
        directory = self.directory / f"d{self.count}"
        directory.mkdir()
        device = Device(f"d{self.count}", directory, release)
        if store:
            device.store = store
        return device

    def pick(self, random):
        if not self.devices:
            self.install(random)
        return random.choice(self.devices)

    # Comparisons

    def compare(self, device):
        """Compares all that a store shows with the oracle."""
        self.views.compare(device, self.box(device, "export", "--store", "store").out, "store")

    def sample(self, random):
        if self.devices and random.random() < 0.4:
            self.compare(random.choice(self.devices))

    def compare_all(self):
        for device in self.devices:
            self.box(device, "store", "verify", "store")
            self.compare(device)

    def refusable(self, device, change, *arguments, input="", codes=(2,)):
        """Runs a command that the oracle carries out, too, or refuses, as the command then has to. Returns its answer,
        or None."""
        after = device.store.copy()
        try:
            result = change(after)
        except Refused:
            self.box(device, *arguments, codes=codes, input=input)
            return None
        answer = self.box(device, *arguments, input=input)
        device.store = after
        return answer, result

    # Objects

    def install(self, random):
        """A new device, with the newest release or an earlier one."""
        release = random.choice(self.team.releases[-2:])
        device = self.fresh(release)
        entity = release.elements[random.choice(device.store.entities())].name
        self.box(device, "import", "--store", "store", "--model", self.model(release), "--entity", entity, "-",
                 input="[]")
        self.devices.append(device)
        self.add(device, random, 4)

    def some_object(self, store, entity, random, number=None, fill=0.6):
        """An object by keys; its relations lead to objects that exist, nearly always."""
        made = {} if number is None else {"id": number}
        for key, element in store.shown.items():
            if element.entity != entity or random.random() > fill or key.endswith(".id") or element.kind == "entity":
                continue
            if element.get("target"):
                targets = sorted(store.objects[element.target]) + ([4444] if random.random() < 0.02 else [])
                if element.get("code") == TO_ONE:
                    made[key] = random.choice(targets) if targets else None
                else:
                    made[key] = sorted(random.sample(targets, min(len(targets), random.randrange(3))))
            else:
                made[key] = values.of(element, store.release.schema, random)
        return made

    def named(self, store, made):
        """An object as JSON has it, under the names of the model."""
        return {"id" if key == "id" else store.shown[key].name: value for key, value in made.items()}

    def add(self, device, random, count):
        entity = random.choice(device.store.entities())
        objects = [self.some_object(device.store, entity, random) for _ in range(count)]
        self.put_objects(device, entity, objects, "insert")

    def put_objects(self, device, entity, objects, mode):
        store, name = device.store, device.store.shown[entity].name
        lines = "".join(json.dumps(self.named(store, made)) + "\n" for made in objects)
        done = self.refusable(device, lambda after: after.put(entity, objects, mode), "store", "put", "store", name,
                              "--mode", mode, "--yes", "-", input=lines)
        if done and [int(line) for line in done[0].out.split()] != done[1]:
            raise Broken("put ids", f"{done[1]} expected\n{done[0]}")

    def put(self, random):
        device = self.pick(random)
        store = device.store
        entity = random.choice(store.entities())
        mode = random.choice(["insert", "insert", "upsert", "replace", "update"])
        ids = sorted(store.objects[entity])
        objects, used = [], set()
        for _ in range(random.choice([1, 2, 5])):
            number = None
            if ids and (mode != "insert" or random.random() < 0.05):
                number = random.choice(ids)
            elif store.shown[entity + ".id"].flags & 128 and random.random() < 0.5:
                number = random.randrange(1, 60)
            if number in used:
                continue
            used.add(number) if number else None
            if number is None and mode == "update":
                continue
            objects.append(self.some_object(store, entity, random, number))
        if objects:
            self.put_objects(device, entity, objects, mode)

    def change(self, random):
        """Sets properties of some objects."""
        device = self.pick(random)
        store = device.store
        entity = random.choice(store.entities())
        ids = sorted(store.objects[entity])
        properties = store.properties(entity)
        if not ids or not properties:
            return
        chosen = random.sample(ids, min(len(ids), random.choice([1, 1, 3])))
        given = self.some_object(store, entity, random, fill=1)
        keys = random.sample(list(properties), min(len(properties), random.choice([1, 2])))
        change = {key: given.get(key) if random.random() < 0.85 else None for key in keys}
        words = [f"{properties[key].name}:={json.dumps(value)}" for key, value in change.items()]
        if any(self.is_unique(store, key) for key in keys):
            chosen = chosen[:1]
        selected = ids if random.random() < 0.3 and len(chosen) > 1 else chosen
        selection = chosen if selected is chosen else ["--all", "--yes"]
        self.refusable(device, lambda after: self.set_all(after, entity, selected, change), "store", "set", "store",
                       store.shown[entity].name, *selection, *words)

    def set_all(self, after, entity, ids, change):
        after.put(entity, [{"id": number} | change for number in ids], "update")

    def remove(self, random):
        device = self.pick(random)
        entity = random.choice(device.store.entities())
        ids = sorted(device.store.objects[entity])
        if ids:
            chosen = random.sample(ids, min(len(ids), random.choice([1, 1, 2])))
            self.refusable(device, lambda after: after.remove({(entity, number) for number in chosen}),
                           "store", "remove", "store", device.store.shown[entity].name, *chosen)

    def remove_and_restore(self, random):
        """Removes an object by the code of a dry run, and puts back what was saved (docs/agents.md)."""
        device = self.pick(random)
        store = device.store
        entity = random.choice(store.entities())
        if not store.objects[entity]:
            return
        words = ["store", "remove", "store", store.shown[entity].name, random.choice(sorted(store.objects[entity]))]
        after = store.copy()
        try:
            gone = after.remove({(entity, words[-1])})
        except Refused:
            self.box(device, *words, "--dry-run", codes=(2,))
            return
        loss = json.loads(self.box(device, *words, "--dry-run", "--format", "json").out)["loss"]
        removed = sum(line["removed"] for line in loss["objects"])
        if removed != len(gone):
            raise Broken("loss", f"{removed} objects would be removed, and {len(gone)} expected: {gone}\n{loss}")
        self.box(device, *words, "--confirm", loss["code"], "--save", "saved.ndjson")
        device.store = after
        self.compare(device)
        if random.random() < 0.5:
            self.box(device, "import", "--store", "store", "--mode", "replace", "--yes", "saved.ndjson")
            store.forget_hidden(gone)
            device.store = store
            self.compare(device)
        (device.directory / "saved.ndjson").unlink()

    def link(self, random):
        device = self.pick(random)
        store = device.store
        relations = store.relations()
        if not relations:
            return
        key = random.choice(list(relations))
        element = relations[key]
        sources, targets = sorted(store.objects[element.entity]), sorted(store.objects[element.target])
        if not sources or not targets:
            return
        name = f"{store.shown[element.entity].name}.{element.name}"
        source, chosen = random.choice(sources), random.sample(targets, min(len(targets), random.choice([1, 2])))
        pairs = {(source, target) for target in chosen}
        command = "link"
        if random.random() < 0.3 and pairs <= store.links[key]:
            command = "unlink"
        self.box(device, "store", command, "store", name, source, *chosen, *(["--yes"] if command == "unlink" else []))
        store.links[key] = store.links[key] | pairs if command == "link" else store.links[key] - pairs

    def is_unique(self, store, key):
        return store.shown[key].get("flags", 0) & UNIQUE_FLAG

    def load(self, random):
        """Imports objects as lines of JSON."""
        device = self.pick(random)
        store = device.store
        entity = random.choice(store.entities())
        mode = random.choice(["insert", "upsert", "replace"])
        ids = sorted(store.objects[entity])
        numbers = {store.last[entity] + 1 + random.randrange(5) for _ in range(3)}
        if mode != "insert":
            numbers |= set(random.sample(ids, min(2, len(ids))))
        objects = []
        for number in sorted(numbers):
            made = self.some_object(store, entity, random, number)
            objects.append({key: value for key, value in made.items()
                            if mode != "replace" or key == "id" or not self.is_unique(store, key)})
        lines = "".join(json.dumps(self.named(store, made)) + "\n" for made in objects)
        (device.directory / "in.ndjson").write_text(lines)
        self.refusable(device, lambda after: after.load(entity, objects, mode), "import", "--store", "store",
                       "--entity", store.shown[entity].name, "--mode", mode, "--yes", "--batch", "all", "in.ndjson",
                       codes=(2, 65))

    # Versions

    def upgrade(self, random):
        device = self.pick(random)
        position = self.team.releases.index(device.release)
        later = self.team.releases[position + 1:]
        if later:
            self.change_model(device, random.choice(later), random)

    def downgrade(self, random):
        device = self.pick(random)
        position = self.team.releases.index(device.release)
        if position:
            self.open(device, self.team.releases[random.randrange(position)])

    def change_model(self, device, release, random):
        """Opens a store with a later model, or migrates it; the plan said before what happens."""
        store = device.store
        plan = self.box(device, "plan", "store:store", self.model(release), "--target", "boxjoint", "--format", "json",
                        codes=(0, 1))
        self.views.plan(device, plan.out, release, self.team.book)
        if not store.retyped(release) and random.random() < 0.6:
            return self.open(device, release)
        after = store.copy()
        refused = bool(store.duplicates(release))
        heavy = bool(store.retyped(release))
        purge = random.random() < 0.2
        try:
            if heavy:
                after.convert(release)
            else:
                after.show(release)
            if purge:
                after.purge()
        except Refused:
            refused = True
        self.box(device, "migrate", "run", "--store", "store", "--to", self.model(release), "--yes",
                          *(["--purge"] if purge else []), codes=(2,) if refused else (0,))
        if not refused:
            device.store = after
            self.compare(device)

    def open(self, device, release):
        """Opens a store with the model of a release, as an app does."""
        store = device.store
        refused = store.retyped(release) or store.duplicates(release)
        entity = next(element.name for element in release.elements.values() if element.kind == "entity")
        self.box(device, "import", "--store", "store", "--model", self.model(release), "--entity", entity, "-",
                 input="[]", codes=(2,) if refused else (0,))
        if not refused:
            store.show(release)
        self.compare(device)

    # Looking and copying

    def query(self, random):
        device = self.pick(random)
        store = device.store
        entity = random.choice(store.entities())
        properties = {key: element for key, element in store.properties(entity).items()
                      if element.type in ("String", "Int32", "Int64", "Int16", "Int8", "Bool", "ToOne")}
        if properties:
            key = random.choice(list(properties))
            value = self.some_object(store, entity, random, fill=1).get(key)
            self.views.query(device, entity, key, value, random)

    def copy(self, random):
        """Goes on with a backup, or with a new store that a dump of this one made."""
        device = self.pick(random)
        if random.random() < 0.5:
            self.box(device, "store", "backup", "store", "copy")
            shutil.rmtree(device.path)
            os.rename(device.directory / "copy", device.path)
            return self.compare(device)
        shape = random.choice(["lines", "document", "directory"])
        name = {"lines": "dump.ndjson", "document": "dump.json", "directory": "dump"}[shape]
        self.box(device, "export", "--store", "store", "--shape", shape, "--output", name)
        self.box(device, "dump", "verify", name)
        other = self.fresh(device.release, device.store.copy())
        self.box(other, "import", "--store", "store", device.directory / name)
        other.store.purge()
        other.store.had = set(other.store.shown)
        self.box(device, "dump", "diff", name, f"store:{other.path}")
        self.compare(other)
        if len(self.devices) < 4:
            self.devices.append(other)
        for left in device.directory.glob("dump*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()

    def compact(self, random):
        device = self.pick(random)
        purge = random.random() < 0.5
        self.box(device, "store", "compact", "store", *(["--purge", "--yes"] if purge else []))
        if purge:
            device.store.purge()
        self.compare(device)

    def exports(self, random):
        """A database of SQLite beside the dump."""
        device = self.pick(random)
        self.box(device, "export", "--store", "store", "--format", "sqlite", "--output", "out.db")
        self.views.compare_database(device, device.directory / "out.db")
        (device.directory / "out.db").unlink()

    # Trouble

    def session(self, random):
        faults.session(self, self.pick(random), random)

    def crowd(self, random):
        faults.crowd(self, self.pick(random), random)

    def kill(self, random):
        faults.kill(self, self.pick(random), random)

    def fill_disk(self, random):
        faults.fill_disk(self, self.pick(random), random)

