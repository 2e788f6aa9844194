"""What every element of a model file has to be: the UID and the id of each declaration, and the rest of it."""

import json

from schemas import KNOWN, TO_ONE, elements
from tools import Broken


class Model:
    """The elements of a model file by their UIDs."""

    def __init__(self, text):
        try:
            self.json = json.loads(text)
        except ValueError as error:
            raise Broken("model file", f"it is not JSON: {error}\n{text[:2000]}") from error
        self.parts, names = {}, {}
        for entity in self.json["entities"]:
            number, uid = pair(entity["id"])
            names[entity["name"]] = uid
            self.add(uid, kind="entity", name=entity["name"], id=number, entity=uid)
            for property in entity["properties"]:
                number, own = pair(property["id"])
                self.add(own, kind="property", name=property["name"], id=number, entity=uid, code=property["type"],
                         flags=property.get("flags", 0) & KNOWN, target=property.get("relationTarget"),
                         index=pair(property["indexId"]) if "indexId" in property else None)
            for relation in entity.get("relations", []):
                number, own = pair(relation["id"])
                self.add(own, kind="relation", name=relation["name"], id=number, entity=uid,
                         target=pair(relation["targetId"])[1])
        for part in self.parts.values():
            if part["kind"] == "property" and part["target"] is not None:
                part["target"] = names.get(part["target"])
        self.retired = {int(uid) for key in self.json if key.startswith("retired") for uid in self.json[key]}

    def add(self, uid, **part):
        if uid in self.parts:
            raise Broken("model file", f"two elements have the UID {uid}: {self.parts[uid]} and {part}")
        self.parts[uid] = part

    def ids(self):
        """The id of each element and index, by its kind and, for a property, its entity."""
        for uid, part in self.parts.items():
            scope = (part["kind"], part["entity"] if part["kind"] == "property" else None)
            yield scope, uid, part["id"], part["name"]
            if part.get("index"):
                yield ("index", None), part["index"][1], part["index"][0], f"index of {part['name']}"


def pair(text):
    number, uid = text.split(":")
    return int(number), int(uid)


class Book:
    """The UID of each declaration, for as long as it lives."""

    def __init__(self):
        self.uids, self.keys = {}, {}

    def live(self, model, key):
        return self.uids.get(key) in model.parts

    def learn(self, key, uid):
        if uid in self.keys:
            raise Broken("new UID", f"{key} gets the UID {uid}, which {self.keys[uid]} has or had")
        self.uids[key], self.keys[uid] = uid, key

    def compare(self, schema, model, generated, expected=None, begun=()):
        """Compares a model file with declarations: each known one under its UID. What is new is there after a run of
        the generator, under a UID that nothing had, or that `expected` has for its key. What has `begun` again has no
        index before that."""
        wanted = elements(schema)
        found = dict(model.parts)
        for key, element in wanted.items():
            if generated and key not in self.uids:
                uid = self.unknown(element, found)
                if uid is None:
                    raise Broken("generated model", f"{element.name} of {element.entity} is not in it")
                if expected and key in expected and expected[key] != uid:
                    raise Broken("generated UID", f"{element.name}: {uid}, and the sources say {expected[key]}")
                self.learn(key, uid)
        for key, element in wanted.items():
            uid = self.uids.get(key)
            if uid is None:
                continue
            part = found.pop(uid, None)
            if part is None:
                raise Broken("lost element", f"{key}, {element.name}, has the UID {uid}, which the model file lacks; "
                             f"it is {'retired' if uid in model.retired else 'not retired'}; beside it are "
                             f"{[(uid, part['name']) for uid, part in found.items()]}")
            self.compare_part(key, element, part, generated, key in begun)
        for uid, part in found.items():
            raise Broken("extra element", f"{part['kind']} {part['name']} {uid}, {self.keys.get(uid)}: no declaration")

    def unknown(self, element, found):
        entity = self.uids.get(element.entity)
        for uid, part in found.items():
            if uid in self.keys or part["kind"] != element.kind or part["name"] != element.name:
                continue
            if element.kind == "entity" or part["entity"] == entity:
                return uid
        return None

    def compare_part(self, key, element, part, generated, is_begun):
        pairs = [("kind", element.kind, part["kind"]), ("name", element.name, part["name"]),
                 ("entity", self.uids.get(element.entity), part["entity"])]
        if element.kind == "property":
            pairs += [("type", element.code, part["code"]), ("flags", element.flags, part["flags"])]
            pairs.append(("index", element.index is not None, part["index"] is not None))
        if element.kind == "relation" or element.kind == "property" and element.code == TO_ONE:
            pairs.append(("target", self.uids.get(element.target), part["target"]))
        if is_begun:
            pairs = [pair for pair in pairs if pair[0] not in ("flags", "index")]
        wrong = [f"{what} {found} instead of {wanted}" for what, wanted, found in pairs if wanted != found]
        if wrong:
            when = "generated model" if generated else "merged model"
            raise Broken(f"{when}: {wrong[0].split()[0]}", f"{key}, {element.name}: {'; '.join(wrong)}")


class Published:
    """Which id was ever published for which UID (docs/merging.md, "Which id an element gets")."""

    def __init__(self):
        self.by_uid, self.by_id = {}, {}

    def publish(self, model):
        for scope, uid, number, name in model.ids():
            known = self.by_uid.setdefault((scope, uid), number)
            if known != number:
                raise Broken("published id", f"{name} {uid} has the id {number}, and was published under {known}")
            owner = self.by_id.setdefault((scope, number), uid)
            if owner != uid:
                raise Broken("id given again", f"{name} {uid} has the id {number}, under which {owner} was published")
