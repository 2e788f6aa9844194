#!/usr/bin/env python3
"""Counts phrases that native speakers rarely write, in the comments and messages of Swift files.

usage: scripts/check-phrases.py [-h] [--list] [--test | FILE...]

Fails if there are more than CEILING, or so few that it can be lowered: it only sinks. --list prints
each with its place.
"""

import re
import sys

CEILING = 66

PHRASES = re.compile(
    r"\b(?:(?:that|those) of|leads? to|(?:is|are) none|any more|goe?s? on|at hand|so (?:many|much) (?!that\b)"
    r"|(?<!there )is no (?!longer\b|more\b)|nowhere|told|anew|lest|be it|mend(?:s|ed)?|forth and back|hangs? on"
    r"|behind|what becomes of|somebody|whoever|mostly|at the moment|in the place of|may pass|as every"
    r"|everything that is)\b", re.IGNORECASE)
COMMENT = re.compile(r"^\s*///? ?(.*)$")


def passages(lines):
    """Each comment as one text, and the literals of each other line, with the number of its first line."""
    start, text = 0, ""
    for number, line in enumerate(lines, 1):
        if comment := COMMENT.match(line):
            start, text = (start, text + " " + comment[1]) if text else (number, comment[1])
            continue
        if text:
            yield start, text
        text = ""
        code, _, trailing = line.partition("  // ")
        yield number, " ".join(re.findall(r'"([^"]*)"?', code)) + " " + trailing
    yield start, text


def findings(lines):
    return [(number, phrase[0]) for number, text in passages(lines) for phrase in PHRASES.finditer(text)]


def test():
    sample = [
        "/// The size of this page, not that", "  /// of another one, which is",
        "struct Page {", '  let message = "leads to page 7, which is none" // and is not any more',
        "  let somebody = 1  // it goes on", "  // There is no page any", "", "  // more", "}",
    ]
    found = findings(sample)
    expected = [(1, "that of"), (4, "leads to"), (4, "is none"), (5, "goes on")]
    if found != expected:
        print(f"check-phrases: found {found} in the sample, and should find {expected}", file=sys.stderr)
    return found != expected


def main(arguments):
    if "--test" in arguments:
        return test()
    lists = "--list" in arguments
    count = 0
    for name in arguments:
        if name.startswith("--"):
            continue
        with open(name, encoding="utf-8") as file:
            for number, phrase in findings(file.read().splitlines()):
                count += 1
                if lists:
                    print(f"{name}:{number}: {phrase}")
    if lists or count == CEILING:
        return 0
    print(f"check-phrases: {count} phrases, and the ceiling is {CEILING}; "
          + ("--list shows them" if count > CEILING else "lower it"), file=sys.stderr)
    return 1


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if len(sys.argv) > 1 else 64)
    sys.exit(main(sys.argv[1:]))
