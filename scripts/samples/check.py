#!/usr/bin/env python3
"""Cuts code samples out of documents, writes Swift functions of them, and generates what entities need.

usage: scripts/samples/check.py SEEDS PACKAGE GENERATOR

samples.txt and corestore.txt in the directory PACKAGE say which lines of the documents in the directory SEEDS
are samples that run, and what each needs beside them; the format is described at the beginning of samples.txt.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


class Failure(Exception):
    pass


def lines_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


class Documents:
    def __init__(self, directory):
        self.directory, self.lines = directory, {}

    def cut(self, document, numbers):
        if document not in self.lines:
            self.lines[document] = (self.directory / f"{document}.txt").read_text(encoding="utf-8").split("\n")
        return [self.lines[document][number - 1].rstrip() for number in numbers]


class Sample:
    def __init__(self, name, module, imports):
        self.name, self.module, self.imports = name, module, imports
        self.top, self.body = [], []
        self.effects = "throws"

    def swift(self):
        head = f"@MainActor func {self.name}() {self.effects} {{"
        return self.top + [head] + self.body + ["}", ""]


class Steps:
    """Sources that are generated one after the other, in one directory."""

    def __init__(self, name):
        self.name, self.steps = name, []

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
    samples, last, module, imports = [], None, "Samples", []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").split("\n"), 1):
        try:
            if line.startswith("# module "):
                module, *imports = line.split()[2:]
            elif line.startswith("# sample "):
                samples.append(Sample(line.split()[2], module, imports))
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
            elif line.startswith("# beside "):
                beside(samples[-1], line, documents)
            elif line.startswith("# replace "):
                replace(samples[-1], line, last)
            elif line == "# async":
                samples[-1].effects = "async throws"
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
    if rest == "value":
        # Inside an expression no line can say where it is from.
        sample.body += text
        return (range(len(sample.body) - len(text), len(sample.body)), text)
    if rest == "=":
        start, original = last
        if [t for t in text if t] != [t for t in original if t]:
            raise Failure("the text is another one")
        return last
    if rest.startswith("/"):
        match = re.search(rest[1 : rest.rindex("/")], text[0])
        if not match:
            raise Failure("the pattern does not match")
        sample.body.append(match.group())
        return (range(len(sample.body) - 1, len(sample.body)), [match.group()])
    place = f'#sourceLocation(file: "{document}.txt", line: {lines_of(where)[0]})'
    start = len(sample.body) + 1
    sample.body += [place] + text + ["#sourceLocation()"]
    return (range(start, start + len(text)), text)


def beside(sample, line, documents):
    """Adds the lines of a document as comments: the code after them is their form in BoxStore."""
    _, _, document, where, pattern = line.split(" ", 4)
    text = documents.cut(document, lines_of(where))
    if not re.search(pattern.removeprefix("/").removesuffix("/"), text[0]):
        raise Failure(f"the pattern does not match {text[0]!r}")
    sample.body += [f"// {document}:{where}"] + [f"//   {line}".rstrip() for line in text]


def replace(sample, line, last):
    pattern, replacement = re.match(r"# replace /((?:\\.|[^/])*)/(.*)/$", line).groups()
    replacement = replacement.replace("\\n", "\n")
    count = 0
    for position in last[0]:
        sample.body[position], found = re.subn(pattern, lambda _: replacement, sample.body[position])
        count += found
    if not count:
        raise Failure(f"{pattern} matches nothing")


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 64
    seeds, package, generator = Path(sys.argv[1]), Path(sys.argv[2]), str(Path(sys.argv[3]).resolve())
    samples = [
        sample
        for name in ("samples.txt", "corestore.txt")
        for sample in read_samples(package / name, Documents(seeds))
    ]
    for sample in samples:
        if isinstance(sample, Steps):
            sample.run(generator)
    functions = [sample for sample in samples if isinstance(sample, Sample)]
    for module in sorted({sample.module for sample in functions}):
        write_module(package, module, [s for s in functions if s.module == module], generator)
    return 0


def write_module(package, module, samples, generator):
    """Writes the samples of a module; those of other modules than the program have their own entities."""
    text = [f"import {name}" for name in (*samples[0].imports, "BoxStore", "Foundation")] + [""]
    for sample in samples:
        text += sample.swift()
    text += ["@MainActor public func runSamples() async -> Results {", "  await run(["]
    text += [f'    ("{sample.name}", {sample.name}),' for sample in samples] + ["  ])", "}", ""]
    directory = package / "Sources" / module / "Generated"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "Samples.swift").write_text("\n".join(text), encoding="utf-8")
    if module == "Samples":
        return
    for name in ("Expectations.swift", "Delivery.swift"):
        shutil.copy(package / "Sources/Samples" / name, directory)
    # Samples of other documents have entities of the same names, so that they might be their models renamed.
    run = subprocess.run(
        [generator, "--sources", directory.parent, "--target", module, "--quiet", "--new-model",
         "--output", directory / "EntityInfo.generated.swift",
         "--model-json", directory / "model.json"],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        raise Failure(f"the bindings of {module} are not generated:\n{run.stdout}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"check-samples: {failure}", file=sys.stderr)
        sys.exit(1)
