"""Comparisons of what the programs print about a store with what the oracle says."""

import base64
import json
import sqlite3
import struct

from oracle import text
from schemas import TO_ONE, UNSIGNED
from tools import Broken


class Views:
    """Dumps, databases, queries and plans."""

    def __init__(self, programs):
        self.programs = programs

    def compare(self, device, dump, what):
        seen = self.parse(self.programs.planted.value("dump", dump))
        self.require_equal(device.name, what, device.store.view(), seen)

    def parse(self, dump):
        """The content of a dump in lines."""
        lines = [json.loads(line) for line in dump.splitlines()]
        if not lines or "end" not in lines[-1]["@boxjoint"]:
            raise Broken("dump", f"it has no end: {dump[-300:]}")
        seen = {"objects": {}, "links": {}, "last": {}}
        for entity in lines[0]["@boxjoint"]["entities"]:
            seen["objects"][entity] = {}
        for entity in lines[0]["@boxjoint"]["model"]["entities"]:
            for relation in entity.get("relations", []):
                seen["links"][f"{entity['name']}.{relation['name']}"] = set()
        for line in lines[1:-1]:
            (name, value), = line.items()
            if name in seen["links"]:
                seen["links"][name] |= {(value["source"], target) for target in value["targets"]}
            else:
                seen["objects"][name][value["id"]] = value
        for name, totals in lines[-1]["@boxjoint"]["end"]["entities"].items():
            seen["last"][name] = totals["lastId"]
        return seen

    def require_equal(self, device, what, wanted, seen):
        for name in sorted({*wanted["objects"], *seen["objects"]}):
            mine, theirs = wanted["objects"].get(name), seen["objects"].get(name)
            if mine is None or theirs is None:
                raise Broken(f"{what}: entities", f"{device}: {name}: {mine is not None} and not {theirs is not None}")
            for number in sorted({*mine, *theirs}):
                left, right = mine.get(number), theirs.get(number)
                if left is None or right is None or text(left) != text(right):
                    only = {key: (left.get(key), right.get(key)) for key in {*left, *right}
                            if text(left.get(key)) != text(right.get(key))} if left and right else ""
                    raise Broken(f"{what}: object", f"{device}: {name} {number} is {right}\ninstead of {left}\n{only}")
        for part in ("links", "last"):
            if wanted[part] != seen[part]:
                different = {key: (wanted[part].get(key), seen[part].get(key)) for key in {*wanted[part], *seen[part]}
                             if wanted[part].get(key) != seen[part].get(key)}
                raise Broken(f"{what}: {part}", f"{device}: expected and found: {different}")

    # SQLite

    def compare_database(self, device, path):
        store, base = device.store, sqlite3.connect(path)
        exact = {(entity, number, property): bits
                 for entity, number, property, bits in base.execute("SELECT * FROM boxjoint_exact")}
        for entity in store.entities():
            name = store.shown[entity].name
            properties = {element.name: element for element in store.properties(entity).values()}
            cursor = base.execute(f'SELECT * FROM "{name}"')
            columns = [column[0] for column in cursor.description]
            seen = {}
            for row in cursor:
                values = dict(zip(columns, row))
                seen[values["id"]] = {"id": values["id"]} | {
                    property: read(values[property], element, exact.get((name, values["id"], property)))
                    for property, element in properties.items()}
            wanted = store.view()
            mine, theirs = ({"objects": {name: objects}, "links": {}, "last": {}}
                            for objects in (wanted["objects"][name], seen))
            self.require_equal(device.name, "database", mine, theirs)
        for key, element in store.relations().items():
            name = f"{store.shown[element.entity].name}.{element.name}"
            pairs = set(base.execute(f'SELECT source, target FROM "{name}"'))
            if pairs != store.links[key]:
                raise Broken("database: links", f"{device.name}: {name}: {pairs} instead of {store.links[key]}")
        base.close()

    # Queries

    def query(self, device, entity, key, value, random):
        """A condition on one property, alone and with an order."""
        store = device.store
        element = store.shown[key]
        operator = random.choice(["==", "!=", "<", ">=", "nil", "not nil"])
        if value is None or isinstance(value, str) and "\0" in value:
            operator = "nil"
        if isinstance(value, bool) or element.code == TO_ONE:
            operator = random.choice(["==", "!="]) if value is not None else "nil"
        shown = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else quoted(value)
        condition = {"nil": f"{element.name} == nil", "not nil": f"{element.name} != nil"}.get(
            operator, f"{element.name} {operator} {shown}")
        wanted = [number for number, values in sorted(store.objects[entity].items())
                  if fulfils(values.get(key), operator, value)]
        descending = random.random() < 0.5
        order = random.choice([None, key])
        if order:
            wanted.sort(key=lambda number: sort_key(store.objects[entity][number].get(key)), reverse=descending)
            if descending:
                wanted = stable(wanted, lambda number: sort_key(store.objects[entity][number].get(key)))
        arguments = ["--order-by", element.name + (" desc" if descending else "")] if order else []
        answer = self.programs.box(device.directory, "query", "store", store.shown[entity].name, "--where", condition,
                                   "--select", "id", "--format", "ndjson", *arguments)
        seen = [json.loads(line)["id"] for line in answer.out.splitlines()]
        seen = self.programs.planted.value("query", seen)
        if seen != wanted:
            raise Broken("query", f"{device.name}: {condition}: {seen} instead of {wanted}\n{answer}")

    # Plans

    def plan(self, device, output, release, book):
        """Compares a plan with what the oracle says that opening does: what is refused, and how much is hidden."""
        store, steps = device.store, json.loads(output)["steps"]
        refusals = {int(step["uid"]) for step in steps if step["boxjoint"]["class"] == "open-failure"}
        wanted = {book.uids[key] for key in [*store.retyped(release), *store.duplicates(release)]}
        refusals = self.programs.planted.value("plan", refusals)
        if refusals != wanted:
            raise Broken("plan: refusals", f"{device.name}: {refusals} instead of {wanted}")
        before = store.hidden()
        after = store.copy()
        after.show(release)
        counted = {int(step["uid"]): step.get("counts", {}).get("affected") for step in steps
                   if step["boxjoint"]["class"] in ("data-hidden", "data-loss")}
        for key, count in after.hidden().items():
            element = store.shown.get(key)
            if element is None or key in before:
                continue
            if counted.get(book.uids[key]) != count:
                raise Broken("plan: counts", f"{device.name}: {element.name} hides {count}; the plan says {counted}")


def quoted(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def sort_key(value):
    """Null comes first, and strings in the order of their bytes (docs/querying.md, "Order")."""
    if value is None:
        return (0, b"")
    return (1, value.encode() if isinstance(value, str) else value)


def stable(numbers, key):
    """Equal objects in the order of their ids, as the order leaves them open."""
    groups = []
    for number in numbers:
        if groups and key(groups[-1][-1]) == key(number):
            groups[-1].append(number)
        else:
            groups.append([number])
    return [number for group in groups for number in sorted(group)]


def fulfils(value, operator, other):
    """A condition on a value: "A comparison with null is false" (docs/querying.md)."""
    if operator in ("nil", "not nil"):
        return (value is None) == (operator == "nil")
    if value is None:
        return False
    if isinstance(value, str):
        value, other = value.encode(), other.encode()
    return {"==": value == other, "!=": value != other, "<": value < other, ">=": value >= other}[operator]


def read(value, element, bits):
    """A value of a dump, from a column of SQLite (docs/dumps.md)."""
    if bits is not None and element.type in ("Float", "Double"):
        number = struct.unpack(">f" if element.type == "Float" else ">d", bytes.fromhex(bits))[0]
        return "NaN" if number != number else number
    if value is None:
        return None
    if element.type == "Bool" and not element.get("enum"):
        return bool(value)
    if element.code in (7, 8):
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return shortest(value) if element.code == 7 else value
    if element.flags & UNSIGNED and value < 0:
        return value + (1 << 64)
    if element.type == "Data":

        return base64.b64encode(value).decode()
    if element.type == "[Float]":
        numbers = struct.unpack(f"<{len(value) // 4}f", value)
        return [special(number) for number in numbers]
    if isinstance(value, str) and element.code in (27, 30):
        return json.loads(value)
    return value


def special(number):
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    return shortest(number)


def shortest(number):
    """The shortest number that is the same one in 32 bits."""
    for digits in range(1, 10):
        short = float(f"{number:.{digits}g}")
        if struct.pack("f", short) == struct.pack("f", number):
            return short
    return number


