#!/usr/bin/env python3
"""Writes Swift code that uses each declaration of a list of ObjectBox Swift's public names.

usage: scripts/check-names.py PAGE

PAGE is Markdown: a line "- `extension X`" or "- `class X`", and below it its members, indented. Each
declaration is used with its labels, its result and its throws, on the entity types of
Tests/Packages/Documented. A line "// left out" stands for a name that docs/porting.md says is missing.
scripts/check-examples compiles the result.
"""

import re
import sys

ENTITY = r"(?:E\.|EntityType\.|ReferencedType\.)?EntityBindingType\.IdType"

# Generic parameters by what they are constrained to; what is not constrained is an Int.
CONSTRAINTS = {
    "UntypedIdBase": "Int64",
    "IdBase": "EntityId<Author>",
    "FixedWidthInteger": "Int",
    "BinaryFloatingPoint": "Double",
    "FloatArrayPropertyType": "FloatArrayPropertyType",
    "LongPropertyQueryType": "Int64",
    "IntegerPropertyQueryType": "Int32",
    "StringPropertyType": "String",
    "DatePropertyType": "Date",
    "DataPropertyType": "Data",
    "RangeExpression": "Range<Int>",
    "AnyObject": "Book",
    "EntityInspectable": "Book",
}

# The type that stands for the instance, and the meaning of names inside it.
BOOK = {"E": "Book", "EntityType": "Book"}
CONTEXTS = {
    "Box": ("Box<Book>", BOOK),
    "AsyncBox": ("AsyncBox<Book>", BOOK),
    "Query": ("Query<Book>", BOOK),
    "QueryBuilder": ("QueryBuilder<Book>", BOOK),
    "PropertyQuery": ("PropertyQuery<Book, {T}>", BOOK),
    "PropertyAlias": ("PropertyAlias<Book, Int>", {**BOOK, "T": "Int", "ValueType": "Int"}),
    "PropertyQueryCondition": (
        "PropertyQueryCondition<Book, Int>", {**BOOK, "T": "Int", "ValueType": "Int"}),
    "QueryCondition": ("QueryCondition<Book>", BOOK),
    "Property": ("Property<Book, {ValueType}, {R}>", BOOK),
    "ToMany": ("ToMany<Book>", {"S": "Book", "ReferencedType": "Book", "Index": "Int"}),
    "ToOne": ("ToOne<Author>", {"T": "Author", "Target": "Author"}),
    "EntityBuilder": ("EntityBuilder<Book>", {}),
    "EntityId": ("EntityId<Book>", {"R": "Book"}),
    "ObjectWithScore": ("ObjectWithScore<Book>", {"T": "Book"}),
    "ToManyProperty": ("ToManyProperty<Book>", {"ToManyId": "ToManyProperty<Book>.ToManyId"}),
    "Optional": ("Int?", {}),
    "Array": ("[UInt8]", {}),
    "FlatBufferBuilder": ("FlatBufferBuilder", {}),
    "FlatBufferReader": ("FlatBufferReader", {"T": "Author"}),
}

# Protocols: used on a value of a type that conforms to them, with what is associated.
PROTOCOLS = {
    "PropertyCollector": "FlatBufferBuilder",
    "EntityReader": "FlatBufferReader",
    "EntityInspectable": "Book",
    "__EntityRelatable": "Book",
    "EntityBinding": "BookBinding",
    "IdBase": "EntityId<Book>",
    "EntityPropertyTypeConvertible": "Int",
    "LongPropertyQueryType": "Int64",
    "IntegerPropertyQueryType": "Int32",
}

# Names that docs/porting.md lists as missing.
LEFT_OUT = [
    re.compile(p)
    for p in (
        r"\bbyteSize\b", r"typealias T = UInt", r"^var value: UInt(16|32)$", r"^static var (min|max)\b",
        r"syncClient", r"\bSync", r"\bPropertyDescriptor", r"QueryBuilderCondition\b",
    )
]
# Sections of which everything is left out.
LEFT_OUT_SECTIONS = (
    "PropertyDescriptor", "QueryBuilderCondition", "LazyProxyRelation",
)
# Publishers need Combine or a trait: Tests/Packages/Traits uses each of them.
ELSEWHERE = ("Combine.swift",)


def split(text, separator=","):
    """The parts of a text between separators outside of brackets."""
    parts, depth, start, position = [], 0, 0, 0
    while position < len(text):
        character = text[position]
        if text.startswith("->", position):
            position += 2
            continue
        if character in "(<[{":
            depth += 1
        elif character in ")>]}":
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
        position += 1
    last = text[start:].strip()
    return parts + [last] if last else parts


def closing(text, start):
    """The position after the bracket that closes the one at a position."""
    depth, position = 0, start
    while position < len(text):
        if text.startswith("->", position):
            position += 2
            continue
        if text[position] in "(<[":
            depth += 1
        elif text[position] in ")>]":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    raise ValueError(text)


def substitute(text, names):
    text = re.sub(r"\b(?:" + ENTITY + r")\b", "Id", text)
    for _ in range(3):
        text = re.sub(
            r"(?<![.\w])[A-Za-z_]\w*(?!\w)",
            lambda m: names.get(m.group(), m.group()), text)
    return re.sub(r"__owned |@escaping ", "", text)


def constraints(generics, where, names):
    """What each generic parameter stands for."""
    meaning, elements = {}, {}
    for part in split(where) if where else []:
        if "==" in part:
            left, right = [side.strip() for side in part.split("==")]
            for one, other in ((left, right), (right, left)):
                if one.endswith(".Element"):
                    elements[one[: -len(".Element")]] = other
        elif ":" in part:
            left, right = [side.strip() for side in part.split(":")]
            meaning[left] = CONSTRAINTS.get(right.split("&")[0].strip(), meaning.get(left))
    parameters = [part.split(":") + [""] for part in split(generics)]
    for name, bound in ((p[0].strip(), p[1].strip()) for p in parameters):
        first = bound.split("&")[0].strip()
        if name == "OwningType":
            meaning[name] = "Author"
        elif first == "Collection" or name in elements:
            element = substitute(elements.get(name, "Int"), {**names, "I": "Int64"})
            if "IdBase" in generics and "UntypedIdBase" not in generics:
                element = "Id"
            meaning[name] = f"ArraySlice<{element}>"
        elif first in CONSTRAINTS:
            meaning[name] = CONSTRAINTS[first]
        elif name == "E":
            meaning[name] = "Book"
        elif meaning.get(name) is None:
            meaning[name] = "Int"
    return {key: value for key, value in meaning.items() if value}


class Writer:
    def __init__(self):
        self.lines, self.count, self.left_out, self.elsewhere = [], 0, [], []

    def use(self, parameters, body, throws=False):
        self.count += 1
        suffix = " throws" if throws else ""
        head = f"func use{self.count}({', '.join(parameters)}){suffix} {{"
        if len(head) + len(body) > 94 or ";" in body:
            self.lines.append(head)
            self.lines += ["  " + line.strip() for line in body.split(";")]
            self.lines.append("}")
        else:
            self.lines.append(f"{head} {body} }}")

    def function(self, text, instance, names, is_static=False):
        name, rest = re.match(r"func (`+?[\w]+`*|[\w]+|[^\s\w(]+)\s*(.*)", text).groups()
        name = name.strip("`")
        generics = where = ""
        if rest.startswith("<") and not rest.startswith("<="):
            end = closing(rest, 0)
            generics, rest = rest[1 : end - 1], rest[end:]
        end = closing(rest, rest.index("("))
        parameters = split(rest[rest.index("(") + 1 : end - 1])
        tail = rest[end:].strip()
        if " where " in " " + tail:
            tail, where = (" " + tail).split(" where ", 1)
        throws = "throws" in tail.split("->")[0]
        result = tail.split("->", 1)[1].strip() if "->" in tail else None
        names = {**names, **constraints(generics, where.strip(), names)}
        for extra in ("V", "T"):
            if f"<{extra}: EntityInspectable>" in text:
                names[extra] = "Book"
        if name == "link" and "R" in generics:
            names.update(V="EntityId<Author>", R="Author")
        if "EntityId<T>" in text:
            names["T"] = "Author"
        if "-> ToOne<T>" in text:
            names["T"] = "Author"
        # Bindings of this generator call it without `try`; where it is there, it does no harm.
        if "_ toOne:" in text:
            throws = False
        if re.search(r"where T: EntityInspectable", text) or "<T: EntityInspectable" in text:
            names["T"] = "Author"
        self.call(name, parameters, result, throws, instance, names, is_static)

    def call(self, name, parameters, result, throws, instance, names, is_static):
        declared, every, required = [], [], []
        declared_queue = " ".join(parameters)
        for number, parameter in enumerate(parameters):
            label, type_text = [p.strip() for p in parameter.split(":", 1)]
            default = None
            if re.search(r"\s=\s", type_text):
                type_text, default = re.split(r"\s=\s", type_text, maxsplit=1)
            label = label.split()[0]
            type_text = substitute(type_text.strip(), names)
            own = f"a{number}"
            argument = own
            if type_text.startswith("inout "):
                argument = f"&{own}"
            values = [argument]
            if type_text.endswith("..."):
                type_text = type_text[:-3]
                values = [argument, argument]
            escaping = "@escaping @Sendable " if "DispatchQueue" in declared_queue and "->" in type_text else (
                "@escaping " if "->" in type_text else "")
            declared.append(f"_ {own}: {escaping}{type_text}")
            argument = ", ".join(values)
            if label != "_" and not re.match(r"\W", name):
                argument = f"{label}: {argument}"
            every.append(argument)
            if default is None:
                required.append(argument)
        result = substitute(result, names) if result else None
        attempt = "try " if throws else ""
        binding = f"let _: {result} = " if result else ""
        calls = []
        for arguments in ([every, required] if required != every else [every]):
            if re.match(r"\W", name):
                calls.append(f"{binding}a0 {name} a1")
            elif name == "init":
                calls.append(f"_ = {attempt}{instance}({', '.join(arguments)})")
            else:
                on = (instance if is_static else "s") + "."
                calls.append(f"{binding}{attempt}{on}{name.strip('`')}({', '.join(arguments)})")
        parameters = list(declared)
        if instance and not is_static and name != "init" and not re.match(r"\W", name):
            parameters.insert(0, f"_ s: {instance}")
        self.use(parameters, "; ".join(calls), throws)

    def variable(self, text, instance, names, is_static):
        match = re.match(r"(?:let|var) (\w+)(?:: (.*?))?( =.*)?$", text)
        name, kind = match.group(1), match.group(2)
        on = instance if is_static else "s"
        kind = substitute(kind, names) if kind else None
        if name in ("alias",):
            kind = "String"
        body = f"let _: {kind} = {on}.{name}" if kind else f"_ = {on}.{name}"
        self.use([] if is_static else [f"_ s: {instance}"], body)

    def member(self, text, kind, owner, instance, names):
        text = re.sub(r"^(private|internal)\(set\) (public )?(lazy )?", "", text)
        text = re.sub(r"^(convenience|required|override|mutating) ", "", text)
        is_static = text.startswith(("static ", "class func", "class var"))
        text = re.sub(r"^static ", "", text)
        if text.startswith("func "):
            self.function(text, instance, names, is_static)
        elif text.startswith("init"):
            self.initializer(text, kind, instance, names)
        elif text.startswith(("var ", "let ")):
            self.variable(text.rstrip(" ="), instance, names, is_static)
        elif text.startswith("typealias "):
            name, meaning = re.match(r"typealias (\w+)(?:<.*?>)?(?: = (.*?))?(?: where .*)?$", text).groups()
            if name == "QueryProperty":
                self.use([], f"_ = {instance}.QueryProperty<Int>.self")
            else:
                self.use([], f"let _: {substitute(meaning, names)}.Type = {instance}.{name}.self")
        elif text.startswith("associatedtype "):
            name = re.match(r"associatedtype (\w+)", text).group(1)
            self.use([], f"_ = {instance}.{name}.self")
        elif text.startswith("subscript"):
            self.use([f"_ s: {instance}", "_ a0: Int"], "let _: Book = s[a0]")
        elif text.startswith("case "):
            for case in split(text[len("case ") :]):
                self.case(case, owner, names)
        else:
            raise ValueError(f"{owner}: {text}")

    def initializer(self, text, kind, instance, names):
        start = text.index("(")
        end = closing(text, start)
        generics = ""
        parameters = split(text[start + 1 : end - 1])
        if text[4:5] == "<":
            generics = text[5 : start - 1]
        if parameters and parameters[0].startswith("nilLiteral"):
            return self.use([], f"let _: {instance} = nil")
        names = {**names, **constraints(generics, "", names)}
        self.call("init", parameters, None, "throws" in text[end:], instance, names, True)

    def case(self, text, owner, names):
        name, rest = re.match(r"(\w+)\s*(.*)", text).groups()
        if rest.startswith("("):
            labels, parameters = [], []
            for number, part in enumerate(split(rest[1 : closing(rest, 0) - 1])):
                pieces = [p.strip() for p in part.split(":")]
                type_text = pieces[-1].replace("Error", "any Error") if pieces[-1] == "Error" else pieces[-1]
                parameters.append(f"_ a{number}: {type_text}")
                labels.append((f"{pieces[0]}: " if len(pieces) > 1 else "") + f"a{number}")
            self.use(parameters, f"let _: {owner} = .{name}({', '.join(labels)})")
        else:
            raw = re.match(r"= (\d+)", rest)
            check = f"let v: {owner} = .{name}"
            self.use([], check + (f"; precondition(v.rawValue == {raw.group(1)})" if raw else "; _ = v"))


def context(declaration):
    """The kind, name, instance and names of a type or an extension; more than one for several types."""
    kind, rest = declaration.split(" ", 1)
    name = re.match(r"[\w.]+", rest).group()
    where = rest.split(" where ", 1)[1] if " where " in rest else ""
    if name in PROTOCOLS:
        meaning = {"EntityBindingType": "BookBinding", "EntityType": "Book", "IdType": "Id"}
        return [(kind, name, PROTOCOLS[name], meaning)]
    if name not in CONTEXTS:
        return [(kind, name, name, {})]
    instance, names = CONTEXTS[name]
    if name == "PropertyQuery":
        bound = re.search(r"T(?:: | == )([\w?]+)", where)
        kinds = [bound.group(1) if bound else "Int"]
        kinds = {"FixedWidthInteger": ["Int", "UInt8"], "StringPropertyType": ["String", "String?"]}.get(
            kinds[0], kinds)
        kinds = ["Int"] if kinds[0] == "EntityPropertyTypeConvertible" else kinds
        return [(kind, name, instance.format(T=k), {**names, "T": k, "ValueType": k}) for k in kinds]
    if name == "Property":
        bound = re.search(r"ValueType(?:: | == )([\w?]+)", where)
        bound = bound.group(1) if bound else "Int"
        kinds = {
            "FixedWidthInteger": ["Int", "UInt16"], "BinaryFloatingPoint": ["Double", "Float"],
            "StringPropertyType": ["String", "String?"], "DataPropertyType": ["Data", "Data?"],
            "DatePropertyType": ["Date"], "IdBase": ["EntityId<Author>"],
        }.get(bound, [bound])
        return [
            (kind, name, instance.format(ValueType=k, R="Author" if "EntityId" in k else "Void"),
             {**names, "V": k, "ValueType": k, "R": "Void", "ReferencedType": "Void"})
            for k in kinds
        ]
    return [(kind, name, instance, names)]


def conformances(writer, declaration):
    """Uses of a type, or of what it conforms to."""
    kind, rest = declaration.split(" ", 1)
    text = re.sub(r" where .*", "", rest)
    name = re.match(r"[\w.]+", text).group()
    after = re.sub(r"<[^>]*>", "", text)
    bounds = [b.strip() for b in split(after.split(":", 1)[1])] if ":" in after else []
    known = {
        "EntityScalarPropertyType", "LongPropertyType", "LongPropertyQueryType", "IntegerPropertyType",
        "IntegerPropertyQueryType", "StringPropertyType", "DatePropertyType", "DataPropertyType",
        "EntityPropertyTypeConvertible", "UntypedIdBase", "Hashable", "CustomStringConvertible",
        "CustomDebugStringConvertible", "Sendable", "RandomAccessCollection",
        "RangeReplaceableCollection", "ExpressibleByIntegerLiteral", "ExpressibleByNilLiteral",
    }
    if kind == "protocol":
        # Two of them are classes here, which code that names them does not notice.
        word = "" if name in ("EntityReader", "PropertyCollector") else "any "
        writer.use([], f"_ = ({word}{name}).self")
        return
    instance = context(declaration)[0][2]
    if name == "Optional":
        wrapped = re.search(r"Wrapped(?:: | == )(\w+)", rest)
        instance = {"LongPropertyType": "Int64", "EntityPropertyTypeConvertible": "Bool"}.get(
            wrapped.group(1), wrapped.group(1)) + "?"
    if kind != "extension":
        writer.use([], f"_ = {instance}.self")
    for bound in bounds:
        if bound in known:
            writer.use([], f"func f<T: {bound}>(_: T.Type) {{}}; f({instance}.self)")
        elif bound in ("UInt16", "UInt32"):
            writer.use([f"_ a0: {bound}"], f"let _: {instance}? = {instance}(rawValue: a0)")


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 64
    writer = Writer()
    contexts, section, outer = [(None, None, None, {})], "", None
    for line in open(sys.argv[1], encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("## "):
            section, contexts = line[3:], [(None, None, None, {})]
            writer.lines += ["", f"// MARK: - {section}", ""]
            continue
        match = re.match(r"( *)- `(.*)`$", line)
        if not match:
            continue
        depth, text = len(match.group(1)) // 2, match.group(2)
        if section in ELSEWHERE:
            writer.elsewhere.append(text)
            continue
        if any(p.search(text) for p in LEFT_OUT) or any(n in section for n in LEFT_OUT_SECTIONS):
            writer.left_out.append(text)
            continue
        kind = text.split(" ", 1)[0]
        if kind in ("extension", "class", "struct", "enum", "protocol") and not text.startswith("class func"):
            if depth == 0:
                contexts = context(text)
                conformances(writer, text)
            else:
                outer = contexts
                name = re.match(r"\w+ (\w+)", text).group(1)
                owner = contexts[0][2] + "." + name
                writer.use([], f"_ = {owner}.self")
                nested = [(kind, owner, owner, {})]
            continue
        if depth == 2:
            for one in nested:
                writer.member(text, *one)
        elif depth == 1:
            for one in contexts:
                writer.member(text, *one)
        elif text.startswith("func "):
            writer.function(text, None, {})
        elif text.startswith("typealias "):
            name = re.match(r"typealias (\w+)", text).group(1)
            writer.use([], f"_ = {name}{'<Book, Int>' if '<' in text else ''}.self")
        else:
            raise ValueError(text)
    header = [
        "// swift-format-ignore-file", "",
        "// Uses of the names of ObjectBox Swift: scripts/check-names.py writes them.",
        f"// {writer.count} uses; {len(writer.left_out)} declarations are left out, as docs/porting.md says,",
        f"// and {len(writer.elsewhere)} of publishers are used in Tests/Packages/Traits.",
        "",
        "import BoxStore", "import Dispatch", "import Foundation",
    ]
    print("\n".join(header + writer.lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
