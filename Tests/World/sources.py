"""Writes declarations as Swift, a file for each type, with the annotations of docs/generating.md."""

import shutil

INITIAL = {
    "Bool": "false", "Float": "0", "Double": "0", "String": '""', "Date": "Date(timeIntervalSince1970: 0)",
    "Data": "Data()", "[Int64]": "[]", "[Float]": "[]", "[String]": "[]",
}


def write(schema, directory, marks=None):
    """Writes all types into a directory, and removes the files of others. `marks` has annotations of members beside
    those of their declarations, by key."""
    directory.mkdir(parents=True, exist_ok=True)
    files = {}
    for key, entity in schema["entities"].items():
        files[f"{key}.swift"] = entity_text(key, entity, schema, marks or {})
    for key, struct in schema["structs"].items():
        lines = [line for part, member in struct["members"].items()
                 for line in member_lines(part, member, schema, marks or {}, inside=True)]
        files[f"{key}.swift"] = type_text(f"struct {struct['name']}", lines)
    for key, enum in schema["enums"].items():
        lines = [f"  case {case['name']} = {raw(case['raw'], enum)}" for case in enum["cases"].values()]
        lines.append(f"  case unknown = {raw(0, enum)}")
        kind = "String" if enum["text"] else "Int"
        files[f"{key}.swift"] = type_text(f"enum {enum['name']}: {kind}", lines)
    for path in directory.glob("*.swift"):
        if path.name not in files:
            path.unlink()
    for name, text in files.items():
        path = directory / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def raw(number, enum):
    return f'"r{number}"' if enum["text"] else str(number)


def type_text(head, lines):
    # The blank lines keep changes of neighbours apart in a merge of texts.
    return f"import BoxStore\n\n{head} {{\n" + "\n\n\n".join(lines) + "\n}\n"


def entity_text(key, entity, schema, marks):
    head = [f"  // objectbox: {mark}" for mark in marks.get(key, [])]
    lines = []
    if entity["assignable"]:
        lines.append('  // objectbox: id = {"assignable": true}\n  var id: Id = 0')
    else:
        lines.append("  var id: Id = 0")
    for member_key, member in entity["members"].items():
        lines += member_lines(member_key, member, schema, marks)
    lines.append("  init() {}")
    text = type_text(f"final class {entity['name']}: Entity", lines)
    if head:
        text = text.replace("final class", "\n".join(line.strip() for line in head) + "\nfinal class", 1)
    return text


def member_lines(key, member, schema, marks, inside=False):
    """A member with its annotations, as one text."""
    notes = list(marks.get(key, []))
    name, kind = member["name"], member["kind"]
    if kind == "embed":
        notes.append("embedded")
        declaration = f"var {name} = {schema['structs'][member['struct']]['name']}()"
    elif kind in ("one", "many"):
        if member["source_rule"]:
            notes.append(f'deleteRule = "{member["source_rule"]}"')
        if member["target_rule"]:
            notes.append(f'inverseDeleteRule = "{member["target_rule"]}"')
        if member["unique"]:
            notes.append("unique")
        target = schema["entities"][member["target"]]["name"]
        declaration = f"var {name}: {'ToOne' if kind == 'one' else 'ToMany'}<{target}> = nil"
        if kind == "many":
            # Two relations to many between two types would else be taken for one and its backlink.
            notes.append("relation")
    else:
        declaration = value_text(member, schema, notes)
    return ["\n".join([*(f"  // objectbox: {note}" for note in notes), f"  {declaration}"])]


def value_text(member, schema, notes):
    type_name = schema["enums"][member["enum"]]["name"] if member["enum"] else member["type"]
    if member["enum"]:
        notes.append('convert = { "default": ".unknown" }')
    if member["unique"]:
        notes.append('unique = {"onConflict": "replace"}' if member["replace"] else "unique")
    if member["index"]:
        notes.append("index" if member["index"] == "default" else f'index = "{member["index"]}"')
    if member["optional"]:
        return f"var {member['name']}: {type_name}?"
    initial = member["default"] or (".unknown" if member["enum"] else INITIAL.get(member["type"], "0"))
    return f"var {member['name']}: {type_name} = {initial}"


def copy(source, target):
    """Copies what a generator wrote for a release."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_file() and path.name.startswith(("model-", "converters-")):
            shutil.copy(path, target / path.name)
