#!/usr/bin/env python3
"""Cuts code samples out of documents, writes Swift functions of them, and generates what entities need.

usage: scripts/check-samples.py SEEDS PACKAGE PAGE GENERATOR [--write]

samples.txt in the directory PACKAGE says which lines of the documents in the directory SEEDS are samples
that run, and what each needs beside them; the format is described at its beginning. PAGE is
docs/seed-samples.md: it has two tables of lines, those that run and the others with reasons. Each line of
code in the documents has to be in one of them, in one alone, and the first table has to be that of
samples.txt; --write writes it.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCUMENTS = ("objectbox-swift-documentation", "objectbox-relations")
BEGIN, END = "<!-- samples that run -->", "<!-- end -->"

# Lines that are code, in documents that do not mark it.
CODE = re.compile(
    r"""^\s*(
      (let|var|class|struct|enum|extension|static|func|case|required|private|import)\ [\w`"(<]
    | (try|try\?|return|assert|guard|for|if|init|self|print)\b.*[(){}=.]
    | //\ | /\*
    | [})\]]+(,|\.\w.*|\ else\ \{|\ catch\ .*)?$
    | \} | \{$ | \]
    | do\ \{$ | else\ \{
    | \.\w+\(.*\)?$ | \.\w+\(
    | "[^"]*"\ *(:|\.=) | && | \(Person
    | (query|student\d|order|aCustomer|anOrder|exampleEntity|allUsers)\.\w
    | (Person|Order|Customer)\.\w+(\.\w+\(|\ [=<>])
    | modify\(
    | "\$ | (gem|pod)\ | Pods/ | /path/to | swift\ package
    | (error:|\t\[)
    | (withIntermediate|attributes|in|appropriateFor|create|age|name|dependencies|targets):
    )""",
    re.VERBOSE,
)


class Failure(Exception):
    pass


def lines_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


class Documents:
    def __init__(self, directory):
        self.lines = {
            name: (Path(directory) / f"{name}.txt").read_text(encoding="utf-8").split("\n")
            for name in DOCUMENTS
        }

    def cut(self, document, numbers):
        return [self.lines[document][number - 1].rstrip() for number in numbers]

    def code(self, document):
        return {n for n, line in enumerate(self.lines[document], 1) if CODE.match(line)}


class Sample:
    def __init__(self, name, module):
        self.name, self.module, self.top, self.body, self.cuts = name, module, [], [], []

    def swift(self):
        head = f"@MainActor func {self.name}() throws {{"
        return self.top + [head] + self.body + ["}", ""]


class Steps:
    """Sources that are generated one after the other, in one directory."""

    def __init__(self, name):
        self.name, self.steps, self.cuts = name, [], []

    def begin(self):
        self.body = []
        self.steps.append({"source": self.body, "fails": None, "model": []})

    def expect_failure(self):
        self.body = self.steps[-1]["fails"] = []

    def run(self, generator):
        """Runs the generator on each source; the UIDs of the document stand for those that it prints."""
        uids = {}

        def substituted(text):
            return re.sub(r"\d+", lambda number: uids.get(number.group(), number.group()), text)

        with tempfile.TemporaryDirectory() as directory:
            for number, step in enumerate(self.steps, 1):
                Path(directory, "App.swift").write_text(substituted("\n".join(step["source"])))
                run = subprocess.run(
                    [generator, "--sources", ".", "--target", "App"], cwd=directory, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                what = f"step {number} of {self.name}"
                if run.returncode != (step["fails"] is not None):
                    raise Failure(f"{what} ends with {run.returncode}:\n{run.stdout}")
                self.compare(step["fails"] or [], run.stdout, uids, what)
                model = Path(directory, "model-App.json").read_text()
                for pattern in step["model"]:
                    if not re.search(substituted(pattern), model, re.DOTALL):
                        raise Failure(f"{what}: {substituted(pattern)} is not in {model}")

    def compare(self, expected, output, uids, what):
        """Looks for a message; white space may be another, as a report has one message a line."""
        words = " ".join(line for line in expected if not line.startswith("#sourceLocation")).split()
        if not words:
            return
        wanted = " ".join(words).removeprefix("error: ")
        pattern = r"\s+".join(
            r"(\d+)" if word.isdigit() else re.escape(word) for word in wanted.split())
        found = re.search(pattern, output)
        if not found:
            raise Failure(f"{what} does not print '{wanted}', but {output}")
        uids.update(zip((word for word in wanted.split() if word.isdigit()), found.groups()))


def read_samples(path, documents):
    samples, last, module = [], None, "Samples"
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1):
        try:
            if line.startswith("# module "):
                module = line.split()[2]
            elif line.startswith("# sample "):
                samples.append(Sample(line.split()[2], module))
            elif line.startswith("# steps "):
                samples.append(Steps(line.split()[2]))
            elif line == "# source":
                samples[-1].begin()
            elif line == "# fails":
                samples[-1].expect_failure()
            elif line.startswith("# model "):
                samples[-1].steps[-1]["model"].append(line.removeprefix("# model "))
            elif not samples:
                continue  # The description of the format.
            elif line.startswith("# cut "):
                last = cut(samples[-1], line, documents, last)
            elif line.startswith("# replace "):
                replace(samples[-1], line, last)
            elif line == "# top":
                samples[-1].top, samples[-1].body = samples[-1].body, []
            elif line.strip():
                samples[-1].body.append(line)
        except (Failure, re.error, KeyError) as error:
            raise Failure(f"{path}:{number}: {error}") from error
    return samples


def cut(sample, line, documents, last):
    """Adds the lines of a document; returns where they stand in the sample."""
    _, _, document, where, *rest = line.split(" ", 4)
    rest = rest[0] if rest else ""
    text = documents.cut(document, lines_of(where))
    sample.cuts.append((document, where, bool(rest.startswith("/"))))
    if rest == "=":
        start, original = last
        if [t for t in text if t] != [t for t in original if t]:
            raise Failure("the text is another one")
        return last
    if rest.startswith("/"):
        match = re.search(rest[1 : rest.rindex("/")], text[0])
        if not match:
            raise Failure("the pattern does not match")
        # Inside an expression no line can say where it is from.
        sample.body.append(match.group())
        return (range(len(sample.body) - 1, len(sample.body)), [match.group()])
    place = f'#sourceLocation(file: "{document}.txt", line: {lines_of(where)[0]})'
    start = len(sample.body) + 1
    sample.body += [place] + text + ["#sourceLocation()"]
    return (range(start, start + len(text)), text)


def replace(sample, line, last):
    pattern, replacement = re.match(r"# replace /((?:\\.|[^/])*)/(.*)/$", line).groups()
    replacement = replacement.replace("\\n", "\n")
    count = 0
    for position in last[0]:
        sample.body[position], found = re.subn(pattern, lambda _: replacement, sample.body[position])
        count += found
    if not count:
        raise Failure(f"{pattern} matches nothing")


def table(samples):
    rows = ["| document | lines | sample |", "|---|---|---|"]
    places = [
        (document, lines_of(where)[0], where, sample.name)
        for sample in samples
        for document, where, _ in sample.cuts
    ]
    for document, _, where, name in sorted(places, key=lambda p: (DOCUMENTS.index(p[0]), p[1])):
        rows.append(f"| {document} | {where} | {name} |")
    return rows


def others(page):
    """The rows of the second table: document, lines, reason."""
    rest = page[page.index(END) :]
    found = re.findall(r"^\| (objectbox-[\w-]+) \| ([\d, -]+) \| (.+?) \|$", rest, re.MULTILINE)
    return [(document, where, reason) for document, whole, reason in found for where in whole.split(", ")]


def check_coverage(samples, page, documents):
    covered = {name: {} for name in DOCUMENTS}
    problems = []
    for sample in samples:
        for document, where, is_part in sample.cuts:
            for line in lines_of(where):
                covered[document].setdefault(line, set()).add("part" if is_part else "runs")
    for document, where, _ in others(page):
        for line in lines_of(where):
            if "runs" in covered[document].get(line, ()):
                problems.append(f"{document}:{line} runs, and is in the list of the others")
            covered[document].setdefault(line, set()).add("other")
    for document in DOCUMENTS:
        for line in sorted(documents.code(document) - set(covered[document])):
            problems.append(f"{document}:{line} is neither run nor listed: {documents.cut(document, [line])[0]}")
    return problems


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 64
    seeds, package, page_path, generator = arguments
    package, generator = Path(package), str(Path(generator).resolve())
    documents = Documents(seeds)
    samples = read_samples(package / "samples.txt", documents)
    page = Path(page_path).read_text(encoding="utf-8")
    written = page[: page.index(BEGIN)] + "\n".join([BEGIN, *table(samples), END]) + page[
        page.index(END) + len(END) :
    ]
    if "--write" in sys.argv:
        Path(page_path).write_text(written, encoding="utf-8")
    elif written != page:
        raise Failure(f"the list in {page_path} is an old one: run scripts/check-samples --write")
    problems = check_coverage(samples, written, documents)
    if problems:
        raise Failure("\ncheck-samples: ".join(problems))
    for sample in samples:
        if isinstance(sample, Steps):
            sample.run(generator)
    functions = [sample for sample in samples if isinstance(sample, Sample)]
    for module in sorted({sample.module for sample in functions}):
        write_module(package, module, [s for s in functions if s.module == module], generator)
    return 0


def write_module(package, module, samples, generator):
    """Writes the samples of a module; those of other modules than the program have their own entities."""
    text = ["import BoxStore", "import Foundation", ""]
    for sample in samples:
        text += sample.swift()
    text += ["@MainActor public func runSamples() -> Results {", "  run(["]
    text += [f'    ("{sample.name}", {sample.name}),' for sample in samples] + ["  ])", "}", ""]
    directory = package / "Sources" / module / "Generated"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "Samples.swift").write_text("\n".join(text), encoding="utf-8")
    if module == "Samples":
        return
    shutil.copy(package / "Sources/Samples/Expectations.swift", directory)
    run = subprocess.run(
        [generator, "--sources", directory, "--target", module, "--quiet", "--output",
         directory / "EntityInfo.generated.swift", "--model-json", directory / "model.json"],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        raise Failure(f"the bindings of {module} are not generated:\n{run.stdout}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"check-samples: {failure}", file=sys.stderr)
        sys.exit(1)
