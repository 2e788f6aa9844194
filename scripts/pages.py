#!/usr/bin/env python3
"""Writes the parts of docs/ that repeat tests and measurements: see scripts/documentation."""

import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "benchmarks"))
from harness import table  # noqa: E402

ROW = re.compile(r"^\| (\d+) \| ((?:[^|]|\\\|)+) \| ((?:[^|]|\\\|)*) \|$")
SUITE_OR_TEST = re.compile(
    r"(?:struct|class|enum|actor|extension) (\w*(?:Tests|Examples))\b"
    r"|@Test\b(?:\((?:[^()]|\([^()]*\))*?\.promise\(([\d, \n]+)\))?|\bfunc (`[^`]+`|\w+)")


def tests(root):
    """The tests below a directory, as Suite.test, with the numbers of the promises that each holds."""
    found = {}
    for path in sorted((root / "Tests").rglob("*.swift")):
        suite, numbers = "", None
        for match in SUITE_OR_TEST.finditer(path.read_text()):
            if match[1]:
                suite = match[1]
            elif match[3] is None:
                numbers = [int(number) for number in (match[2] or "").split(",") if number.strip()]
            elif numbers is not None:
                found[f"{suite}.{match[3].strip('`')}"] = numbers
                numbers = None
    return found


def promises(root, text, complain):
    """The page with what holds each promise. A promise is held by the tests with its number, and by the
    scripts that its row names; one that is left out has the reason in its row."""
    known, holders, count = tests(root), collections.defaultdict(list), 0
    for name, numbers in sorted(known.items()):
        for number in numbers:
            holders[number].append(f"`{name}`")
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if not (row := ROW.match(line)):
            if re.match(r"\| *\d+ *\|", line):
                complain(f"'{line}' is not a row: number, promise, and what holds it")
            continue
        count, number, held = count + 1, int(row[1]), row[3]
        if number != count:
            complain(f"promise {number} should be {count}")
        scripts = re.findall(r"`(scripts/[\w-]+)`", held)
        for script in scripts:
            if not (root / script).is_file():
                complain(f"promise {number}: {script} does not exist")
        if held.startswith("left out: "):
            for name in re.findall(r"`(\w+(?:Tests|Examples)\.[^`]+)`", held):
                if name not in known:
                    complain(f"promise {number}: the test {name} does not exist")
        elif not scripts and not holders[number]:
            complain(f"promise {number}: no test has .promise({number})")
        else:
            held = ", ".join([f"`{script}`" for script in scripts] + holders[number])
            lines[at] = f"| {number} | {row[2]} | {held} |"
    for number in sorted(holders):
        if not 0 < number <= count:
            complain(f"{holders[number][0]}: there is no promise {number}")
    if f"There are {count} promises." not in lines:
        complain(f"the page should say that there are {count} promises")
    return "\n".join(lines) + "\n"


def measurements(root, text, complain):
    """The page with the tables of the files in docs/measurements that its markers name."""
    named = []

    def written(match):
        named.append(match[2])
        path = root / "docs/measurements" / (match[2] + ".json")
        if not path.is_file():
            complain(f"{path.name} does not exist")
            return match[0]
        found = json.loads(path.read_text())
        return f"{match[1]}\n\n{table(found['rows'], found['ratios'])}\n"

    text = re.sub(r"^(<!-- From measurements/([\w-]+)\.json, .*-->)\n\n(?:\|.*\n)*", written, text, flags=re.M)
    for path in sorted((root / "docs/measurements").glob("*.json")):
        if path.stem not in named:
            complain(f"no table comes from {path.name}")
    return text


def self_test():
    """Checks the check of promises on samples with one mistake or none."""
    page = "There are 2 promises.\n\n| 1 | Puts \\| gets. | `X.old` |\n| 2 | %s |\n"
    swift = "struct BoxTests {\n  @Test(.promise(%s), arguments: [(1)])\n  func `puts all`() {}\n  func other() {}\n}\n"
    samples = [("Never. | left out: `BoxTests.puts all` does it", "1", []),
               ("Lints. | `scripts/lint`", "1", []), ("Both. | ", "1, 2", []),
               ("Gets. | `BoxTests.puts all`", "1", ["promise 2: no test has .promise(2)"]),
               ("Lints. | `scripts/none`", "1", ["promise 2: scripts/none does not exist"]),
               ("Never. | left out: see `BoxTests.other`", "1", ["promise 2: the test BoxTests.other does not exist"]),
               ("Both. | ", "1, 2, 3", ["`BoxTests.puts all`: there is no promise 3"])]
    status = 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for directory in ("Tests", "scripts"):
            (root / directory).mkdir()
        (root / "scripts/lint").touch()
        for row, numbers, expected in samples:
            (root / "Tests/Box.swift").write_text(swift % numbers)
            found = []
            written = promises(root, page % row, found.append)
            if found != expected or "| 1 | Puts \\| gets. | `BoxTests.puts all` |" not in written:
                print(f"pages: '{row}' with promise({numbers}): {found} instead of {expected}\n{written}")
                status = 1
    return status


def main():
    parser = argparse.ArgumentParser(prog="scripts/pages.py", description=__doc__)
    parser.add_argument("page", choices=["promises", "measurements", "test"])
    parser.add_argument("--check", action="store_true", help="only say if the page is not as it would be written")
    options = parser.parse_args()
    if options.page == "test":
        return self_test()
    root, mistakes = HERE.parent, []
    path = root / "docs" / (options.page + ".md")
    text = path.read_text()
    written = {"promises": promises, "measurements": measurements}[options.page](root, text, mistakes.append)
    if options.check and written != text:
        mistakes.append(f"is not as written: run scripts/documentation {options.page}")
    for mistake in mistakes:
        print(f"docs/{path.name}: {mistake}", file=sys.stderr)
    if not options.check and not mistakes:
        path.write_text(written)
    return 1 if mistakes else 0


sys.exit(main())
