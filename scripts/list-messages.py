#!/usr/bin/env python3
"""Lists the messages of the lower layers, to be read as one text.

usage: scripts/list-messages.py [-h] [--write]

Prints the literals of six targets with two words or more, file by file, with … for interpolations.
--write writes them to Tests/Fixtures/messages.txt, which a test compares with the sources: read what
you add there aloud, with the messages around it. A message says what failed, and then what to do.
"""

import pathlib
import re
import sys

TARGETS = ["BoxStorage", "BoxEngine", "BoxMerge", "BoxMigration", "BoxRecovery", "BoxWorkspace"]
ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "Tests/Fixtures/messages.txt"
WORD = re.compile(r"(?<![-\w])[A-Za-z]{2,}(?![-\w])")
# Not for people: tags, options of programs, colours.
MARKUP = re.compile(r"^\s*<|[#=]\"|fill:|^(git )?[a-z]+ --?[a-z]")


def literal(text, index):
    """The content of the literal after an opening quote, with … for interpolations, and the index after it."""
    parts, depth = [], 0
    while index < len(text):
        char = text[index]
        if char == "\\" and text[index + 1] == "(":
            index, depth = index + 2, 1
            while depth:
                if text[index] == '"':
                    index = literal(text, index + 1)[1]
                    continue
                depth += {"(": 1, ")": -1}.get(text[index], 0)
                index += 1
            parts.append("…")
            continue
        if char == "\\":
            parts.append({"n": " ", "t": " "}.get(text[index + 1], text[index + 1]))
            index += 2
            continue
        if char == '"':
            return "".join(parts), index + 1
        parts.append(char)
        index += 1
    return "".join(parts), index


def messages(text):
    """The messages of a source file, those of several literals joined."""
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'"""(.*?)"""', "", text, flags=re.DOTALL)
    text = re.sub(r'#".*?"#', '""', text)
    index, joined = 0, None
    while (start := text.find('"', index)) >= 0:
        between = text[index:start]
        content, end = literal(text, start + 1)
        if joined is not None and re.fullmatch(r"\s*\+\s*", between):
            joined += content
        else:
            if joined is not None:
                yield joined
            joined = content
        index = end
    if joined is not None:
        yield joined


def listing():
    lines = []
    for target in TARGETS:
        for path in sorted((ROOT / "Sources" / target).rglob("*.swift")):
            found = dict.fromkeys(
                message for message in messages(path.read_text(encoding="utf-8"))
                if len(WORD.findall(message)) > 1 and " " in message.strip() and not MARKUP.search(message))
            if found:
                lines += ["", f"# {path.relative_to(ROOT / 'Sources')}"] + list(found)
    return "\n".join(lines[1:]) + "\n"


def main(arguments):
    if arguments == ["--write"]:
        FIXTURE.write_text(listing(), encoding="utf-8")
    elif arguments:
        print(__doc__)
        return 0 if arguments[0] in ("-h", "--help") else 64
    else:
        print(listing(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
