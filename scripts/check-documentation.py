#!/usr/bin/env python3
"""Checks the comments of public names.

usage: scripts/check-documentation.py GRAPH...

GRAPH is a symbol graph of the compiler. Each public symbol needs a doc comment, each function that
throws a "- Throws:", and each such function of the types that use the store a "- Complexity:".
"""

import json
import re
import sys

# Their calls take time that depends on the store.
TIMED = {"AsyncBox", "Box", "PropertyQuery", "Query", "QueryBuilder", "Store", "ToMany", "ToOne"}


def problems(symbol):
    path = symbol["pathComponents"]
    # The compiler writes this one, for each enum with raw values.
    if path[-1] == "init(rawValue:)":
        return
    lines = [line["text"] for line in symbol.get("docComment", {}).get("lines", [])]
    text = "\n".join(lines)
    if not text.strip():
        yield "has no comment"
        return
    declaration = "".join(part["spelling"] for part in symbol.get("declarationFragments", []))
    # Without the parameters, as one of them may be a closure that throws.
    while "(" in declaration and (short := re.sub(r"\([^()]*\)", " ", declaration)) != declaration:
        declaration = short
    if not re.search(r"\b(re)?throws\b", declaration):
        return
    if "- Throws:" not in text:
        yield "throws, and its comment has no \"- Throws:\""
    if path[0] in TIMED and "- Complexity:" not in text:
        yield "uses the store, and its comment has no \"- Complexity:\""


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 64
    found = count = 0
    for name in sys.argv[1:]:
        for symbol in json.load(open(name, encoding="utf-8"))["symbols"]:
            count += 1
            place = symbol.get("location", {})
            where = place.get("uri", "").rpartition("/Sources/")[2]
            line = place.get("position", {}).get("line", -1) + 1
            for problem in problems(symbol):
                found += 1
                print(f"Sources/{where}:{line}: {'.'.join(symbol['pathComponents'])} {problem}")
    if not count:
        print("check-documentation: the graphs have no symbols")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
