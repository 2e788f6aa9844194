"""Checks the check of samples: each mistake in a small document, its samples or its page is found."""

import tempfile
from pathlib import Path

from check import END, TABLES, check_coverage, read_samples, with_tables
from documents import CODE, Documents, Failure

DOCUMENT = """Prose that says what follows:
let people = CoreStore.fetchAll(
From<Person>()
)
Some of it is for the cloud, and is left out:
guard let storage = ICloudStore() else {
return
}
The end.
"""
SAMPLES = """# sample fetch
# beside corestore-readme 2-4 /fetchAll/
let people = box.all()
"""
REST = """
| document | lines | reason |
|---|---|---|
| corestore-readme | 6-8 | the cloud |
"""
PAGE = "\n".join(f"{begin}\n{END}" for begin in TABLES) + REST

# The mistake that is expected; then what is replaced in all of the texts, and by what.
MISTAKES = [
    ("", "", ""),
    ("corestore-readme:2 is neither run nor listed", "# beside corestore-readme 2-4 /fetchAll/\n", ""),
    ("corestore-readme:6 is neither run nor listed", "| corestore-readme | 6-8 | the cloud |", ""),
    ("corestore-readme:9 is neither run nor listed", "The end.", "Where(age)"),
    ("the pattern does not match", "/fetchAll/", "/fetchOne/"),
    ("corestore-readme:5 is not code, so 2-5 are other lines now", "2-4", "2-5"),
    ("the pattern does not match", "Prose that", "A line that is new\nProse that"),
    ("corestore-readme:9 is not code, so 6-9 are other lines now", "6-8", "6-9"),
    ("corestore-readme:4 runs, and is in the list of the others", "6-8", "4-8"),
    ("there is no document readme", "| corestore-readme |", "| readme |"),
]


def found(old, new):
    """What the check finds in the texts with a replacement."""

    def edited(text):
        return text.replace(old, new) if old else text

    with tempfile.TemporaryDirectory() as directory:
        for name in CODE:
            Path(directory, f"{name}.txt").write_text(
                edited(DOCUMENT) if name == "corestore-readme" else "Prose.\n", encoding="utf-8")
        samples = Path(directory, "corestore.txt")
        samples.write_text(edited(SAMPLES), encoding="utf-8")
        try:
            documents = Documents(directory)
            read = read_samples(samples, documents)
            return "\n".join(check_coverage(read, with_tables(edited(PAGE), read), documents))
        except Failure as failure:
            return str(failure)


def self_test():
    """Prints each mistake that is not found, or is found where none is; returns the exit status."""
    status = 0
    for expected, old, new in MISTAKES:
        message = found(old, new)
        if expected not in message or (message and not expected):
            print(f"check-samples: finds '{message}' instead of '{expected}'")
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(self_test())
