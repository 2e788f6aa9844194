"""Declarations of Swift as dictionaries, the elements of a model that they declare, and merges of three versions.

A key, such as "m7", is a declaration for as long as it lives, whatever it is called: what a UID is in a model file.
"""

import copy

# Of each type in Swift: the code of the model file, whether it is unsigned, and what can be done with it.
TYPES = {
    "Bool": (1, False), "Int8": (2, False), "Int16": (3, False), "Int32": (5, False), "Int64": (6, False),
    "UInt32": (5, True), "UInt64": (6, True), "Float": (7, False), "Double": (8, False), "String": (9, False),
    "Date": (10, False), "Data": (23, False), "[Int64]": (27, False), "[Float]": (28, False), "[String]": (30, False),
}
INDEXABLE = {"Bool", "Int8", "Int16", "Int32", "Int64", "UInt32", "String", "Date"}
UNIQUE = {"Int16", "Int32", "Int64", "String", "Date"}
# "A type changes automatically if the new type can hold every value of the old type" (docs/migrating.md).
WIDER = {
    "Bool": ["Int32"], "Int8": ["Int16", "Int32", "Int64", "String"], "Int16": ["Int32", "Int64", "String"],
    "Int32": ["Int64", "String", "Double"], "Int64": ["String"], "UInt32": ["Int64", "String"], "Float": ["Double"],
}
TO_ONE, LONG, STRING = 11, 6, 9
ID, INDEXED, UNIQUE_FLAG, SKIP_ZERO, ASSIGNABLE = 1, 8, 32, 512, 128
HASH, HASH64, UNSIGNED, REPLACE = 2048, 4096, 8192, 32768
KNOWN = ID | INDEXED | UNIQUE_FLAG | SKIP_ZERO | ASSIGNABLE | HASH | HASH64 | UNSIGNED | REPLACE

# In place of a declaration that a version does not have. A copy of it is itself.
MISSING = ...


class Element(dict):
    """An entity, a property or a relation to many of a model, without its UID and its id."""
    __getattr__ = dict.__getitem__


def value(name, type, optional=False, index=None, unique=False, **others):
    """A stored property of a type or a struct."""
    return {"kind": "value", "name": name, "type": type, "optional": optional, "index": index, "unique": unique,
            "replace": False, "enum": None, "default": None} | others


def relation(kind, name, target, source_rule=None, target_rule=None):
    """A relation to one or to many; its rules are those of docs/generating.md."""
    return {"kind": kind, "name": name, "target": target, "unique": False, "source_rule": source_rule,
            "target_rule": target_rule}


def elements(schema):
    """The elements that the generator makes of declarations, by key, in their order."""
    result = {}
    for entity_key, entity in schema["entities"].items():
        result[entity_key] = Element(kind="entity", name=entity["name"], entity=entity_key)
        flags = ID | (ASSIGNABLE if entity["assignable"] else 0)
        result[entity_key + ".id"] = Element(
            kind="property", name="id", entity=entity_key, code=LONG, flags=flags, index=None, target=None, type="Id")
        for key, member in entity["members"].items():
            if member["kind"] == "embed":
                for part_key, part in schema["structs"][member["struct"]]["members"].items():
                    name = f"{member['name']}_{part['name']}"
                    result[f"{key}/{part_key}"] = stored(part, name, entity_key, schema)
            elif member["kind"] == "many":
                result[key] = Element(kind="relation", name=member["name"], entity=entity_key, target=member["target"],
                                      rules=rules(member))
            else:
                result[key] = stored(member, member["name"], entity_key, schema)
    return result


def rules(member):
    return (member["source_rule"], member["target_rule"])


def stored(member, name, entity, schema):
    """A property of a model."""
    if member["kind"] == "one":
        flags = INDEXED | SKIP_ZERO | (UNIQUE_FLAG if member["unique"] else 0)
        return Element(kind="property", name=name, entity=entity, code=TO_ONE, flags=flags, index="value",
                       target=member["target"], type="ToOne", rules=rules(member))
    if member["enum"]:
        code, unsigned = (STRING if schema["enums"][member["enum"]]["text"] else LONG), False
    else:
        code, unsigned = TYPES[member["type"]]
    index = member["index"] or ("default" if member["unique"] else None)
    if index == "default":
        index = "hash" if code == STRING else "value"
    flags = (INDEXED if index else 0) | {"hash": HASH, "hash64": HASH64}.get(index, 0)
    flags |= (UNIQUE_FLAG if member["unique"] else 0) | (REPLACE if member["replace"] else 0)
    flags |= UNSIGNED if unsigned else 0
    return Element(kind="property", name=name, entity=entity, code=code, flags=flags, index=index, target=None,
                   type=member["type"], enum=member["enum"])


def merge(base, ours, theirs, choose, path=()):
    """The declarations that a developer has after a merge: each change of one side, and what `choose` answers where
    both changed something, or where one removed what the other changed."""
    if same(ours, theirs) or same(theirs, base):
        return copy.deepcopy(ours)
    if same(ours, base):
        return copy.deepcopy(theirs)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        known = base if isinstance(base, dict) else {}
        result = {}
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            sides = (side.get(key, MISSING) for side in (known, ours, theirs))
            merged = merge(*sides, choose, (*path, key))
            if merged is not MISSING:
                result[key] = merged
        return result
    return choose(path, base, ours, theirs)


def same(left, right):
    """Whether two versions of a declaration are equal; no declaration equals none."""
    if left is MISSING or right is MISSING:
        return left is right
    return left == right


def elements_at(path, *schemas):
    """The keys of the elements that the declaration at a path stands for, in any of several versions."""
    keys = {}
    for schema in schemas:
        for key in elements(schema):
            entity, _, part = key.partition("/")
            if path[0] == "entities" and len(path) >= 4 and path[2] == "members":
                found = entity == path[3]
            elif path[0] == "entities":
                found = key == path[1]
            else:
                found = path[0] == "structs" and len(path) >= 4 and part == path[3]
            if found:
                keys[key] = None
    return list(keys)


def prune(schema):
    """Removes what refers to something that is gone: relations to an entity, members of an enum or a struct."""
    for entity in schema["entities"].values():
        for key, member in list(entity["members"].items()):
            gone = member["kind"] in ("one", "many") and member["target"] not in schema["entities"]
            gone = gone or member["kind"] == "embed" and member["struct"] not in schema["structs"]
            gone = gone or member["kind"] == "value" and member["enum"] and member["enum"] not in schema["enums"]
            if gone:
                del entity["members"][key]
    return schema
