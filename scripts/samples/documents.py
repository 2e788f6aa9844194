"""The documents from which samples are cut, and which of their lines are code: they do not mark it."""

import re
from pathlib import Path

# Lines of ObjectBox's documents that are code.
OBJECTBOX = re.compile(
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
    | "\$ | --model | (gem|pod)\ | Pods/ | /path/to | swift\ package
    | (error:|\t\[)
    | (withIntermediate|attributes|in|appropriateFor|create|age|name|dependencies|targets):
    )""",
    re.VERBOSE,
)

# Lines of CoreStore's document that are code: first what tells prose from it.
CORESTORE = re.compile(
    r"""^
    (?! -\ [A-Z] | [.,]\ | s?\)\ (?!else|\|) | \)\.$ | \w[\w.]*\((\.\.\.|(\w+:)*(\.\.\.)?)\)$
      | (?!git\ ) [^"/@]*\b(?!public|static|func|guard)[a-z]+\ [a-z]+\ [a-z]+\b )
    (
      (let|var|class|enum|func|case|public|private|typealias|static|override|guard|return|throw)\ \S
    | (try|if|else|do|catch|set|get|_)\b.*[(){}=.] | return$ | orderBy$
    | .*[({\[,;]$ | [\])}]+.{0,5}$ | // | \|\| | \.\w+\( | -\ \( | .*\ in$ | .*->\ Void$
    | [\w.?]+(\[\w+\])?\ \+?=\ \S | \w+:\ [\w"\[{(.!].*\S$ | "[\w(\\].*[:"]
    | [\w.]+(<[\w.]+>)?\(.*\)(\ (\{|//|&&|\|).*)?$ | [\w.]+\ \{\ .* | \w+\?\.\w
    | "[^"]*",?$ | \[".*\)$
    | @\w+ | (pod|github|git|carthage)\ \S | NS\w+.*\* | \[CS | .*\]\];$
    )""",
    re.VERBOSE,
)

CODE = {
    "objectbox-swift-documentation": OBJECTBOX,
    "objectbox-relations": OBJECTBOX,
    "corestore-readme": CORESTORE,
}


class Failure(Exception):
    pass


def lines_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


class Documents:
    def __init__(self, directory):
        self.lines = {
            name: (Path(directory) / f"{name}.txt").read_text(encoding="utf-8").split("\n")
            for name in CODE
        }

    def cut(self, document, numbers):
        return [self.lines[document][number - 1].rstrip() for number in numbers]

    def is_code(self, document, number):
        return bool(CODE[document].match(self.lines[document][number - 1].rstrip()))

    def code(self, document):
        return {n for n in range(1, len(self.lines[document]) + 1) if self.is_code(document, n)}

    def require_code_at_ends(self, document, where):
        """Fails for lines that begin or end with prose: the document was changed."""
        numbers = lines_of(where)
        for number in (numbers[0], numbers[-1]):
            if not self.is_code(document, number):
                raise Failure(f"{document}:{number} is not code, so {where} are other lines now")
