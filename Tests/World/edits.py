"""Single edits of declarations, as developers make them."""

import copy

from schemas import INDEXABLE, TYPES, UNIQUE, WIDER, relation, value
from tools import Broken

RULES = [None, None, "nullify", "cascade", "deny", "noAction"]


class Edit:
    """The declarations after an edit, the annotations of this run beside them, and the UIDs that these state."""

    def __init__(self, schema):
        self.schema, self.marks, self.stated, self.kind = copy.deepcopy(schema), {}, {}, "plain"


class Editor:
    """Edits of one developer. `ask` runs the generator where it has to stop, and returns the UIDs that it offers."""

    def __init__(self, random, names, book, ask):
        self.random, self.names, self.book, self.ask = random, names, book, ask

    def edit(self, schema):
        edit = Edit(schema)
        choices = [
            (self.add_property, 6), (self.add_relation, 3), (self.add_entity, 2), (self.remove_member, 3),
            (self.rename_member, 4), (self.rename_entity, 1), (self.change_index, 3), (self.change_unique, 2),
            (self.toggle_optional, 1), (self.retype, 2), (self.reset, 1), (self.change_enum, 2), (self.embed, 2),
            (self.change_struct, 2), (self.change_rules, 2), (self.remove_entity, 1),
        ]
        actions, weights = zip(*choices)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            action = self.random.choices(actions, weights)[0]
            action(edit)
            if edit.kind != "plain":
                break
        return edit

    def key(self, letter):
        return self.names.key(letter)

    def name(self, letter):
        """A new name, or now and then one that another developer may choose, too."""
        return self.names.name(letter) if self.random.random() > 0.1 else f"{letter}Common{self.random.randrange(2)}"

    def members(self, schema, *kinds):
        """The members of all entities, or in worlds of contention mostly of the first one."""
        entities = list(schema["entities"].values())
        if self.names.contention and self.random.random() < 0.8:
            entities = entities[:1]
        return [(entity, key, member) for entity in entities
                for key, member in entity["members"].items() if member["kind"] in kinds]

    def pick(self, candidates):
        return self.random.choice(candidates) if candidates else None

    def free(self, names, name):
        return name not in {member["name"] for member in names.values()}

    def new_value(self, letter):
        type = self.random.choice(list(TYPES))
        index = self.random.choice([None, None, "default"]) if type in INDEXABLE else None
        if index and type == "String":
            index = self.random.choice(["default", "value", "hash", "hash64"])
        unique = type in UNIQUE and self.random.random() < 0.12
        name = self.name(letter)
        if "Common" in name:
            type, index, unique = self.random.choice(["String", "String", "Int32"]), None, False
        return value(name, type, self.random.random() < 0.5, index, unique,
                     replace=unique and self.random.random() < 0.3)

    def add_property(self, edit):
        entity = self.pick(list(edit.schema["entities"].values()))
        member = self.new_value("p")
        if self.random.random() < 0.2 and edit.schema["enums"]:
            enum = self.random.choice(list(edit.schema["enums"]))
            member = value(self.names.name("p"), "Int64", self.random.random() < 0.5, enum=enum)
        if entity and self.free(entity["members"], member["name"]):
            entity["members"][self.key("m")] = member

    def add_relation(self, edit):
        entity = self.pick(list(edit.schema["entities"].values()))
        target = self.random.choice(list(edit.schema["entities"]))
        kind = self.random.choice(["one", "many"])
        rules = [self.random.choice(RULES) for _ in range(2)]
        entity["members"][self.key("m")] = relation(kind, self.names.name("r"), target, *rules)

    def add_entity(self, edit):
        if len(edit.schema["entities"]) >= 6:
            return
        members = {self.key("m"): value(self.names.name("p"), self.random.choice(["String", "Int32", "Int64"]))}
        edit.schema["entities"][self.key("e")] = {
            "name": self.names.name("E"), "assignable": self.random.random() < 0.2, "members": members}

    def remove_entity(self, edit):
        entities = edit.schema["entities"]
        if len(entities) < 4:
            return
        gone = self.random.choice(list(entities))
        del entities[gone]
        for entity in entities.values():
            for key, member in list(entity["members"].items()):
                if member.get("target") == gone:
                    del entity["members"][key]

    def remove_member(self, edit):
        found = self.pick(self.members(edit.schema, "value", "one", "many", "embed"))
        if found and len(found[0]["members"]) > 1:
            del found[0]["members"][found[1]]

    def rename_member(self, edit):
        found = self.pick(self.members(edit.schema, "value", "one", "many"))
        if not found or found[1] not in self.book.uids or found[1] in edit.marks:
            return
        _, key, member = found
        if member["kind"] == "value" and self.random.random() < 0.3:
            edit.marks[key] = [f'was = "{member["name"]}"']
        else:
            self.state(edit, key)
        member["name"] = self.names.name("p")

    def rename_entity(self, edit):
        key = self.random.choice(list(edit.schema["entities"]))
        if key in self.book.uids and key not in edit.marks:
            self.state(edit, key)
            edit.schema["entities"][key]["name"] = self.names.name("E")

    def state(self, edit, key):
        """Writes the UID of a declaration above it, often after asking for it."""
        uid = self.book.uids[key]
        if self.random.random() < 0.5:
            offered = self.ask(edit, {key: ["uid"]}, "uid-requested")
            if offered[0] != uid:
                raise Broken("offered UID", f"the generator offers {offered[0]} for {key}, which has {uid}")
        edit.marks[key] = [f"uid = {uid}"]

    def change_index(self, edit):
        found = self.pick([found for found in self.members(edit.schema, "value")
                           if found[2]["type"] in INDEXABLE and not found[2]["enum"] and not found[2]["unique"]])
        if found:
            member = found[2]
            kinds = ["default", "value", "hash", "hash64"] if member["type"] == "String" else ["default"]
            member["index"] = self.random.choice([None, *kinds]) if member["index"] else self.random.choice(kinds)

    def change_unique(self, edit):
        found = self.pick([found for found in self.members(edit.schema, "value")
                           if found[2]["type"] in UNIQUE and not found[2]["enum"]])
        if found:
            member = found[2]
            member["unique"] = not member["unique"]
            member["replace"] = member["unique"] and self.random.random() < 0.3
            if member["unique"] and member["index"] == "hash64":
                member["index"] = None

    def toggle_optional(self, edit):
        found = self.pick(self.members(edit.schema, "value"))
        if found:
            found[2]["optional"] = not found[2]["optional"]

    def replace_key(self, edit, old, uid):
        """Puts a declaration under a key of its own in the place of another one, under a stated UID."""
        new = self.key(old[0])
        for entity in edit.schema["entities"].values():
            if old in entity["members"]:
                entity["members"] = {new if key == old else key: member
                                     for key, member in entity["members"].items()}
        edit.marks[new], edit.stated[new] = [f"uid = {uid}"], uid

    def retype(self, edit):
        found = self.pick([found for found in self.members(edit.schema, "value")
                           if found[2]["type"] in WIDER and not found[2]["enum"] and found[1] in self.book.uids])
        if not found or edit.marks:
            return
        _, key, member = found
        old = member["type"]
        member["type"] = self.random.choice(WIDER[old])
        member["default"] = None
        if member["type"] not in INDEXABLE:
            member["index"] = None
        if member["type"] not in UNIQUE:
            member["unique"] = member["replace"] = False
        if TYPES[old] == TYPES[member["type"]]:
            return
        edit.kind = "retype"
        convert = self.random.random() < 0.6
        if not convert or self.random.random() < 0.5:
            offered = self.ask(edit, {}, "Convert")
        if convert:
            edit.marks[key] = ["convert-type"]
        else:
            self.replace_key(edit, key, offered[-1])

    def reset(self, edit):
        found = self.pick([found for found in self.members(edit.schema, "value", "one", "many")
                           if found[1] in self.book.uids])
        if found and not edit.marks:
            offered = self.ask(edit, {found[1]: ["uid"]}, "uid-requested")
            edit.kind = "reset"
            self.replace_key(edit, found[1], offered[1])

    def change_enum(self, edit):
        enums = edit.schema["enums"]
        if not enums or len(enums) < 3 and self.random.random() < 0.3:
            enums[self.key("n")] = {"name": self.names.name("N"), "text": self.random.random() < 0.3, "cases": {}}
            return
        cases = self.random.choice(list(enums.values()))["cases"]
        if cases and self.random.random() < 0.3:
            self.random.choice(list(cases.values()))["name"] = self.names.name("c")
        elif cases and self.random.random() < 0.2:
            del cases[self.random.choice(list(cases))]
        else:
            key = self.key("c")
            cases[key] = {"name": self.names.name("c"), "raw": int(key[1:])}

    def embed(self, edit):
        structs = edit.schema["structs"]
        if not structs or len(structs) < 2 and self.random.random() < 0.4:
            parts = {self.key("x"): value(self.names.name("x"), self.random.choice(["String", "Int32", "Double"]))
                     for _ in range(2)}
            structs[self.key("s")] = {"name": self.names.name("S"), "members": parts}
        entity = self.pick(list(edit.schema["entities"].values()))
        entity["members"][self.key("m")] = {
            "kind": "embed", "name": self.names.name("b"), "struct": self.random.choice(list(structs))}

    def change_struct(self, edit):
        struct = self.pick(list(edit.schema["structs"].values()))
        if not struct:
            return
        members = struct["members"]
        roll, key = self.random.random(), self.random.choice(list(members))
        if roll < 0.4:
            members[self.key("x")] = value(self.names.name("x"), self.random.choice(["String", "Int64", "Bool"]))
        elif roll < 0.6 and len(members) > 1:
            del members[key]
        elif key not in edit.marks and any(known.endswith("/" + key) for known in self.book.uids):
            edit.marks[key] = [f'was = "{members[key]["name"]}"']
            members[key]["name"] = self.names.name("x")

    def change_rules(self, edit):
        found = self.pick(self.members(edit.schema, "one", "many"))
        if found:
            found[2][self.random.choice(["source_rule", "target_rule"])] = self.random.choice(RULES)


def first(names):
    """The declarations with which a world begins."""
    schema = {"entities": {}, "structs": {}, "enums": {}}
    for number in range(3):
        schema["entities"][names.key("e")] = {"name": names.name("E"), "assignable": number == 2, "members": {}}
    keys = list(schema["entities"])
    for number, entity in enumerate(schema["entities"].values()):
        for type in ("String", "Int32", "Float" if number else "Bool"):
            entity["members"][names.key("m")] = value(names.name("p"), type, optional=type == "Int32")
        target = keys[(number + 1) % 3]
        kind = "many" if number == 1 else "one"
        entity["members"][names.key("m")] = relation(kind, names.name("r"), target)
    return schema

