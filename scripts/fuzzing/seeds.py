"""Makes the first inputs of a fuzz target from the fixtures and examples of the repository.

usage: seeds.py TARGET DIRECTORY
"""

import itertools
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS, FIXTURES = ROOT / "docs", ROOT / "Tests/Fixtures"
LANGUAGES = ["dart", "swift", "java", "go", "c"]


def files(*patterns, limit=1 << 16):
    paths = {p for pattern in patterns for p in ROOT.glob(pattern) if p.is_file()}
    return [p.read_bytes() for p in sorted(paths) if p.stat().st_size <= limit]


def models():
    return files("Tests/Fixtures/models/*.json", "docs/examples/*/*.json")


def blocks(page, *languages):
    """The fenced blocks of a page in a language."""
    text = (DOCS / page).read_text()
    found = re.findall(r"(?ms)^```(\w*)\n(.*?)^```", text)
    return [body.encode() for language, body in found if language in languages]


def merges():
    notes = files("docs/examples/notes/*.json")
    for base, ours, theirs in itertools.product(notes, repeat=3):
        yield b"\0".join([base, ours, theirs])
    for model in models():
        # Another name in each side.
        yield b"\0".join([model, model.replace(b'"name": "', b'"name": "A', 1),
                          model.replace(b'"name": "', b'"name": "B')])


def marked():
    with tempfile.TemporaryDirectory() as directory:
        for number, text in enumerate(merges()):
            sides = [pathlib.Path(directory, name) for name in ("base", "ours", "theirs")]
            for path, side in zip(sides, text.split(b"\0")):
                path.write_bytes(side)
            style = ["--diff3"] if number % 2 else []
            yield subprocess.run(
                ["git", "merge-file", "-p", *style, sides[1], sides[0], sides[2]],
                capture_output=True).stdout


def record():
    """Two equal tables with a whole number and a text, behind the types of their slots."""
    text = b"text\0"
    table = struct.pack("<iqI", 8, 7, 4) + struct.pack("<I", len(text) - 1) + text
    head = struct.pack("<IHHHH", 12, 8, 16, 4, 12)
    one = head + table + b"\0" * (len(head + table) % 2)
    return bytes([2, 8, 12, len(one) // 2]) + one + one


def messages():
    lines = (ROOT / "Tests/Fixtures/sync/messages.txt").read_text().splitlines()
    return [bytes.fromhex(line.split(": ")[1]) for line in lines if ": " in line and line[0] != "#"]


def conditions():
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text()
        yield from (w.encode() for w in re.findall(r"--where '([^']*)'", text))
        yield from (w.encode() for w in re.findall(r"`([^`\n]*(?:==|&&|>|<|\bin\b)[^`\n]*)`", text))


def tables():
    own = files("docs/examples/*/*.csv") + blocks("importing.md", "csv", "") + blocks("dumps.md", "")
    for choice, table in itertools.product(range(8), own):
        yield bytes([choice]) + table


def code():
    for path in sorted((FIXTURES / "code").glob("*.txt")):
        language = next((n for n, l in enumerate(LANGUAGES) if path.name.startswith(l)), 0)
        yield bytes([language]) + path.read_bytes()[:65535]


def requests():
    """Methods, targets after the key and fields, in lines."""
    paths = ["", "-/check", "-/state", "-/model.svg", "Film", "Film/1", "Film/61", "Film/1/title", "Film.csv",
             "Film.html?limit=3", "odd%20na%2Fme", "Film?limit=2&before=end", "Film?id=7&order-by=year+desc",
             "Film?explain=1&live=1&zone=%2B05:45", "Film?nearest=title&of=3&limit=4", "-/model", "-/model.json",
             "-/history?limit=3", "-/change?count=1", "-/change.svg", "-/change.json",
             "Film?select=id,cast.%60na.me%60&raw=1", "Film?from=Film/1/cast&count=1", "Film/1?from=Film/1/cast"]
    for condition in conditions():
        text = urllib.parse.quote_plus(condition)
        paths += [f"Film?where={text}", f"-/complete?entity=Film&text={text}&at={len(condition.decode()) // 2}"]
    fields = ["", "Sec-Fetch-Site:same-origin", "Content-Length:3", "Host:localhost:80"]
    for number, path in enumerate(paths):
        yield f"GET\n/data/{path}\n{fields[number % 16 % len(fields)]}".encode()
    yield b"POST\n/data/\nTransfer-Encoding:chunked"
    yield b"HEAD\n/-/browse.js"


LOCK = b"""{
  "schemaVersion": 1,
  "versions": [
    {
      "source": "models/v1.json",
      "entities": [
        { "uid": "4711", "name": "Person", "fingerprint": "0123456789abcdef0123" }
      ]
    }
  ]
}
"""
APPROVALS = b"""{
  "schemaVersion": 1,
  "approvals": [
    {
      "fingerprint": "0123456789abcdef0123",
      "file": "model.json",
      "change": "Person.age is removed",
      "reason": "no version that reads it is in use",
      "author": "Ann",
      "until": "2026-12-31"
    }
  ]
}
"""
SEEDS = {
    "model": models,
    "merge": merges,
    "markers": marked,
    "dump": lambda: files(
        "Tests/Fixtures/dumps/**/*", "docs/examples/*/*.ndjson", "docs/examples/*/*.json"),
    "csv": tables,
    "records": lambda: [record()],
    "pages": lambda: files("Tests/Fixtures/stores/**/data.mdb", limit=1 << 18),
    "conditions": conditions,
    "catalogues": lambda: files("docs/examples/*/converters*.yml") + blocks(
        "converters.md", "yaml", "json"),
    "mappings": lambda: blocks("migrating.md", "yaml") + [LOCK, APPROVALS],
    "annotations": lambda: files("docs/examples/*/Sources/*/*.swift") + blocks(
        "generating.md", "swift") + blocks("tutorial.md", "swift"),
    "code": code,
    "requests": requests,
    "sync-message": messages,
}


def main():
    name, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    inputs = [text for text in SEEDS[name]() if text]
    if not inputs:
        sys.exit(f"seeds: there is no input for {name}")
    for number, text in enumerate(inputs):
        (directory / f"{number:04}").write_bytes(text)


main()
