"""Measures the generator on a thousand source files. See scripts/bench."""

import random
import sys
import tempfile
from pathlib import Path

import harness
from harness import Run

SEED = 20261124
TYPES = ["String", "Int", "Double", "Bool", "Date?", "String?", "Int32", "[UInt8]", "Float", "UInt16"]


def words(draw, count):
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(draw.choice(letters) for _ in range(draw.randrange(4, 11))) for _ in range(count)]


def function(draw, name):
    """A function as apps have them: nothing of it matters to the generator."""
    lines = [f"  /// {' '.join(words(draw, 8)).capitalize()}.", f"  func {name}(_ input: [Int]) -> String {{",
             "    var result: [String] = []", "    for (index, value) in input.enumerated() where value > 3 {"]
    for word in words(draw, draw.randrange(2, 6)):
        lines.append(f'      if index % {draw.randrange(2, 9)} == 0 {{ result.append("{word} \\(value)") }}')
    return lines + ["    }", '    return result.joined(separator: ", ")', "  }", ""]


def entity(draw, number, entities):
    """A file with an entity, its relations and some code."""
    name = f"Entity{number}"
    lines = ["import BoxStore", "import Foundation", "", f"/// {' '.join(words(draw, 10)).capitalize()}.",
             f"final class {name}: Entity {{", "  var id: Id = 0"]
    for position in range(draw.randrange(6, 14)):
        kind = draw.choice(TYPES)
        if kind == "String" and draw.random() < 0.2:
            lines.append("  // objectbox: index")
        value = {"String": ' = ""', "Bool": " = false", "[UInt8]": " = []"}.get(kind, " = 0")
        lines.append(f"  var property{position}: {kind}{'' if kind.endswith('?') else value}")
    lines += ['  // objectbox: convert = { "default": ".first" }',
              f"  var kind: Kind{number % 50} = .first",
              f"  var owner: ToOne<Entity{draw.randrange(entities)}> = nil", "", "  required init() {}", ""]
    for position in range(draw.randrange(2, 6)):
        lines += function(draw, f"describe{position}")
    return "\n".join(lines + ["}", ""])


def other(draw, number):
    """A file without an entity; fifty of them declare the enums that are stored."""
    lines = ["import Foundation", ""]
    if number < 50:
        lines += [f"enum Kind{number}: Int {{", "  case first = 1", "  case second = 2", "}", ""]
    lines.append(f"struct Model{number} {{")
    for position in range(draw.randrange(3, 9)):
        lines += function(draw, f"compute{position}")
    return "\n".join(lines + ["}", ""])


def write(directory, files):
    """Writes the sources."""
    draw = random.Random(SEED)
    entities = files // 2
    for number in range(files):
        path = directory / "Sources/App" / f"Part{number % 20}" / f"File{number}.swift"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number < entities:
            path.write_text(entity(draw, number, entities))
        else:
            path.write_text(other(draw, number - entities))


def first_build():
    """A build with nothing but the checkouts of the packages."""
    with tempfile.TemporaryDirectory() as name:
        options = ["--scratch-path", name, "--product", "boxjoint-generate"]
        Run(["swift", "package", "--scratch-path", name, "resolve"])
        return Run(["swift", "build", *options])


def main():
    # The generator in release, and as the plugin builds it, and the check of a build as the plugin builds it.
    options = harness.arguments("generate", "generate", "debug", "check")
    rows = harness.Rows(options, ("s",))
    files, runs = (200, 3) if options.quick else (1000, 5)
    build = first_build()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        write(directory, files)

        def generate(program, *arguments):
            return [program, "--sources", directory / "Sources/App", "--target", "App",
                    "--model-json", directory / "model.json", "--quiet", *arguments]

        Run(generate(options.generate))
        bindings = directory / "Sources/App/generated/EntityInfo-App.generated.swift"
        before = bindings.read_bytes()
        full, nothing, debug, check = [], [], [], []
        for _ in range(runs):
            # Everything is generated, from the model file that is there.
            bindings.unlink()
            full.append(Run(generate(options.generate)))
            nothing.append(Run(generate(options.generate)))
            debug.append(Run(generate(options.debug)))
            check.append(Run([options.check, "App", directory / "stamp.swift",
                              *sorted((directory / "Sources").rglob("*.swift"))]))
        if bindings.read_bytes() != before:
            sys.exit("the bindings are others")

    rows.add_runs("a first build of boxjoint-generate in debug", {"ours": [build]}, "at most 30 s of processor time",
                  lambda *_: build.processor <= 30)
    for work, measured, limit in (
            (f"generate {files // 2} entities of {files:,} files", full, 0.224),
            ("the same, nothing changed", nothing, 0.3),
            ("the same in debug, as the plugin runs it", debug, 3),
            ("the check of a build, in debug", check, 3)):
        rows.add_runs(work, {"ours": measured}, f"under {limit}", lambda ours, _, limit=limit: ours < limit)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
