"""What a store has to be: dictionaries and sets, written from docs/ alone.

Everything is under the keys of declarations (schemas.py), whether the model of the store shows it or not. A value is
as a dump writes it; null is no entry.
"""

import json
import struct

from schemas import SKIP_ZERO, UNIQUE_FLAG, UNSIGNED


class Refused(Exception):
    """A command that has to be refused, and change nothing."""


def text(value):
    """A value as bytes tell it from others: -0.0 is not 0.0, and 1 is not 1.0."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def compared(value):
    """A value as unique indexes and conditions compare it: "-0.0 equals 0.0" (docs/editing.md)."""
    return 0.0 if value == 0 and isinstance(value, float) else value


class Store:
    """The objects, links and rules of a store, and the elements that its model shows."""

    def __init__(self, release):
        self.objects, self.links, self.last = {}, {}, {}
        self.kinds, self.had = {}, set()
        self.rules = {}
        self.show(release)

    def copy(self):
        other = object.__new__(Store)
        other.objects = {entity: {number: dict(values) for number, values in objects.items()}
                         for entity, objects in self.objects.items()}
        other.links = {relation: set(pairs) for relation, pairs in self.links.items()}
        other.last, other.kinds, other.had = dict(self.last), dict(self.kinds), set(self.had)
        other.rules, other.shown, other.release = dict(self.rules), self.shown, self.release
        return other

    # The model

    def show(self, release):
        """Takes a model over: "New elements are added … Elements that the model lacks are hidden, and come back with
        their UID" (docs/engine.md)."""
        self.release, self.shown = release, release.elements
        for key, element in self.shown.items():
            self.had.add(key)
            if element.kind == "entity":
                self.objects.setdefault(key, {})
                self.last.setdefault(key, 0)
            elif element.kind == "relation":
                self.links.setdefault(key, set())
            else:
                self.kinds[key] = kind(element)
        if release.has_rules:
            self.rules = {key: element.rules for key, element in self.shown.items()
                          if element.get("rules") and any(element.rules)}

    def entities(self):
        return [key for key, element in self.shown.items() if element.kind == "entity"]

    def properties(self, entity):
        """The properties of an entity by key, without its id."""
        return {key: element for key, element in self.shown.items()
                if element.kind == "property" and element.entity == entity and not key.endswith(".id")}

    def relations(self, entity=None):
        """The relations to many, by key."""
        return {key: element for key, element in self.shown.items()
                if element.kind == "relation" and entity in (None, element.entity)}

    def retyped(self, release):
        """The properties whose stored values are of another type or sign than a model says: "An entity without
        objects may change its types" (BOX601)."""
        return [key for key, element in release.elements.items()
                if element.kind == "property" and key in self.kinds and self.kinds[key] != kind(element)
                and self.objects.get(element.entity)]

    def duplicates(self, release):
        """The properties of a model that are unique, and have one value twice (BOX606)."""
        return [key for key, element in release.elements.items()
                if element.kind == "property" and element.flags & UNIQUE_FLAG and self.repeated(key, element)]

    def repeated(self, key, element, objects=None):
        found = [compared(values[key]) for values in (objects or self.objects.get(element.entity, {})).values()
                 if key in values]
        if element.flags & SKIP_ZERO:
            found = [value for value in found if value != 0]
        return len(found) != len(set(map(text, found)))

    def hidden(self):
        """How many values and links of each hidden property and relation there are, and objects of hidden entities."""
        counts = {}
        for entity, objects in self.objects.items():
            if entity not in self.shown:
                counts[entity] = len(objects)
                continue
            for values in objects.values():
                for key in values:
                    if key not in self.shown:
                        counts[key] = counts.get(key, 0) + 1
        for relation, pairs in self.links.items():
            if relation not in self.shown:
                counts[relation] = len(pairs)
        return {key: count for key, count in counts.items() if count}

    def forget_hidden(self, objects):
        """Removes the values and pairs of some objects that no dump can hold: those that are hidden."""
        for entity, number in objects:
            values = self.objects[entity][number]
            for key in [key for key in values if key not in self.shown]:
                del values[key]
        shown = {key: pairs for key, pairs in self.links.items() if key in self.shown}
        self.unlink_removed(set(objects))
        self.links |= shown

    def convert(self, release):
        """A heavy step: "It carries over only what its model shows" (docs/migrating.md), and converts values."""
        for key in self.retyped(release):
            element = release.elements[key]
            for number, values in self.objects[element.entity].items():
                if key in values:
                    values[key] = converted(values[key], self.kinds[key], kind(element), number)
        self.show(release)
        self.purge()

    def purge(self):
        """Frees what is hidden."""
        self.objects = {key: objects for key, objects in self.objects.items() if key in self.shown}
        for objects in self.objects.values():
            for values in objects.values():
                for key in [key for key in values if key not in self.shown]:
                    del values[key]
        self.links = {key: pairs for key, pairs in self.links.items() if key in self.shown}
        self.kinds = {key: kind for key, kind in self.kinds.items() if key in self.shown}

    # Changes

    def put(self, entity, objects, mode):
        """Puts objects as `boxjoint store put` does: all of them, or none. Returns their ids."""
        after, numbers, losers = self.copy(), [], []
        for given in objects:
            number = given.get("id", 0)
            exists = number in after.objects[entity]
            if exists and mode == "insert" or not exists and mode == "update":
                raise Refused(f"{number} exists" if exists else f"there is no {number}")
            assignable = self.shown[entity + ".id"].flags & 128
            if number > after.last[entity] and not assignable:
                raise Refused(f"{number} was never given")
            number = number or after.last[entity] + 1
            after.last[entity] = max(after.last[entity], number)
            values = after.objects[entity].setdefault(number, {})
            for key, element in self.properties(entity).items():
                if key in given and given[key] is not None:
                    values[key] = given[key]
                elif key in given or mode == "replace" or not exists:
                    values.pop(key, None)
            for key in self.relations(entity):
                # One that the JSON lacks keeps its pairs, in every mode (docs/importing.md).
                if key in given:
                    kept = {pair for pair in after.links[key] if pair[0] != number}
                    after.links[key] = kept | {(number, target) for target in given[key]}
            numbers.append(number)
            losers += after.take(entity, number, values)
        after.require_targets(entity, numbers, objects)
        losers = [loser for loser in losers if loser not in [(entity, number) for number in numbers]]
        if losers:
            after.remove(losers, protected={(entity, number) for number in numbers})
        self.adopt(after)
        return numbers

    def load(self, entity, objects, mode):
        """Imports objects with their ids, as docs/importing.md says: an id need not have been given, a relation to one
        keeps an id that leads nowhere, and a pair of a relation to many is left out."""
        after, losers, numbers = self.copy(), [], {given["id"] for given in objects}
        for given in objects:
            number = given["id"]
            exists = number in after.objects[entity]
            if exists and mode == "insert":
                raise Refused(f"{number} exists")
            after.last[entity] = max(after.last[entity], number)
            values = after.objects[entity].setdefault(number, {})
            for key in self.properties(entity):
                if given.get(key) is not None:
                    values[key] = given[key]
                elif key in given or mode == "replace":
                    values.pop(key, None)
            losers += after.take(entity, number, values)
        for given in objects:
            for key, element in self.relations(entity).items():
                if key in given:
                    kept = {pair for pair in after.links[key] if mode != "replace" or pair[0] != given["id"]}
                    after.links[key] = kept | {(given["id"], target) for target in given[key]
                                               if target in after.objects[element.target]}
        losers = [loser for loser in losers if loser[1] not in numbers]
        if losers:
            after.remove(losers, protected={(entity, number) for number in numbers})
        self.adopt(after)

    def take(self, entity, number, values):
        """The objects that lose a unique value to an object; where the property does not replace, it is refused."""
        losers = []
        for key, element in self.properties(entity).items():
            if not element.flags & UNIQUE_FLAG or key not in values:
                continue
            if element.flags & SKIP_ZERO and values[key] == 0:
                continue
            for other, theirs in self.objects[entity].items():
                if other != number and key in theirs and text(compared(theirs[key])) == text(compared(values[key])):
                    if not element.flags & 32768:
                        raise Refused(f"{element.name} is unique")
                    losers.append((entity, other))
        return losers

    def require_targets(self, entity, numbers, objects):
        for number, given in zip(numbers, objects):
            for key, element in self.shown.items():
                if element.entity != entity or element.get("target") is None or given.get(key) is None:
                    continue
                targets = given[key] if isinstance(given[key], list) else [given[key]]
                if any(target not in self.objects[element.target] for target in targets):
                    raise Refused(f"{element.name} of {number} leads nowhere")

    def adopt(self, other):
        self.objects, self.links, self.last = other.objects, other.links, other.last

    def remove(self, named, protected=frozenset()):
        """Removes objects by the four steps of docs/delete-rules.md. Returns all that were removed."""
        gone = set(named)
        waiting = list(gone)
        while waiting:
            for other in self.related(waiting.pop(), "cascade"):
                if other not in gone:
                    gone.add(other)
                    waiting.append(other)
        if gone & protected:
            raise Refused("the rules would remove an object that is being put")
        for one in gone:
            if any(other not in gone for other in self.related(one, "deny")):
                raise Refused(f"{one} is denied")
        for key, element in self.shown.items():
            if element.get("target") is None or element.kind != "property":
                continue
            if self.rules.get(key, (None, None))[1] == "nullify":
                for number, values in self.objects[element.entity].items():
                    if (element.entity, number) not in gone and (element.target, values.get(key)) in gone:
                        del values[key]
        for entity, number in gone:
            del self.objects[entity][number]
        self.unlink_removed(gone)
        return gone

    def related(self, one, rule):
        """The objects at the other side of the relations that have a rule for the removal of one object."""
        entity, number = one
        for key, (source_rule, target_rule) in self.rules.items():
            element = self.shown.get(key)
            if element is None:
                continue
            if target_rule == rule and element.target == entity:
                yield from ((element.entity, source) for source in self.sources(key, element, number))
            if source_rule == rule and element.entity == entity:
                for target in self.targets(key, element, number):
                    if target in self.objects[element.target]:
                        yield element.target, target

    def sources(self, key, element, target):
        if element.kind == "relation":
            return [pair[0] for pair in self.links[key] if pair[1] == target]
        return [number for number, values in self.objects[element.entity].items() if values.get(key) == target]

    def targets(self, key, element, source):
        if element.kind == "relation":
            return [pair[1] for pair in self.links[key] if pair[0] == source]
        value = self.objects[element.entity].get(source, {}).get(key)
        return [] if value is None else [value]

    def unlink_removed(self, gone):
        """Removes the pairs of objects that are gone, also those of relations that are hidden."""
        for key, pairs in self.links.items():
            source, target = self.ends[key]
            self.links[key] = {pair for pair in pairs
                               if (source, pair[0]) not in gone and (target, pair[1]) not in gone}

    @property
    def ends(self):
        return self.release.ends

    # What is seen

    def view(self):
        """The objects, links and last ids that the model shows, under its names."""
        seen = {"objects": {}, "links": {}, "last": {}}
        for entity in self.entities():
            name, properties = self.shown[entity].name, self.properties(entity)
            seen["last"][name] = self.last[entity]
            seen["objects"][name] = {
                number: {"id": number} | {element.name: values.get(key) for key, element in properties.items()}
                for number, values in self.objects[entity].items()}
        for key, element in self.relations().items():
            seen["links"][f"{self.shown[element.entity].name}.{element.name}"] = set(self.links[key])
        return seen


def kind(element):
    return element.code, bool(element.flags & UNSIGNED)


RANGES = {2: 8, 3: 16, 5: 32, 6: 64}


def converted(value, old, new, number):
    """A value in another type, if that holds every value of the earlier one (docs/migrating.md)."""
    if new[0] == 9:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Refused("only integers become texts here")
        return str(value)
    if new[0] in RANGES:
        value = int(value)
        bits = RANGES[new[0]]
        low, high = (0, (1 << bits) - 1) if new[1] else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        if not low <= value <= high:
            raise Refused(f"{value} of {number} does not fit")
        return value
    if old[0] == 7:
        return value if isinstance(value, str) else struct.unpack("f", struct.pack("f", value))[0]
    return float(value)
