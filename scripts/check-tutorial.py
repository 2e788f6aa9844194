"""Runs the blocks of a tutorial in an empty directory, and compares what they print."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time


def blocks(page):
    """The headings of a page, and its fenced blocks that have a kind: line, kind, argument, text."""
    lines = open(page, encoding="utf-8").read().split("\n")
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            match = re.fullmatch(r"```(sh|output|swift|edit)(?: (.*))?", line)
            if line.startswith("## "):
                yield number, "heading", "", line[3:]
            elif match:
                start = number
                kind, argument, text = match.group(1), match.group(2) or "", []
        elif line == "```":
            yield start, kind, argument, "\n".join(text) + "\n"
            start = None
        else:
            text.append(line)


class Run:
    def __init__(self, options):
        self.options = options
        self.top = tempfile.mkdtemp()
        self.output = ""
        self.times = []
        programs = os.path.join(self.top, "bin")
        os.mkdir(programs)
        os.symlink(os.path.abspath(options.boxjoint), os.path.join(programs, "boxjoint"))
        self.environment = dict(
            os.environ, PATH=programs + ":" + os.environ["PATH"], NO_COLOR="1", LC_ALL="C",
            GIT_CONFIG_GLOBAL=os.path.join(self.top, "gitconfig"), GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="Ann", GIT_AUTHOR_EMAIL="ann@example.com",
            GIT_COMMITTER_NAME="Ann", GIT_COMMITTER_EMAIL="ann@example.com",
            # Beside the work: what was built there before serves this run.
            SWIFTPM_BUILD_DIR=os.path.abspath(options.build))
        self.directory = os.path.abspath(options.scratch)
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)

    def fail(self, line, message):
        sys.exit(f"{self.options.page}:{line}: {message}")

    def substituted(self, text):
        """What stands for a place on the reader's machine."""
        root = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
        text = text.replace('.package(url: "https://example.org/BoxJoint.git", branch: "main", ',
                            f'.package(name: "BoxJoint", path: "{root}", ')
        text = text.replace("boxjoint new Notes\n", f"boxjoint new Notes --path '{root}'\n")
        # A UID that the run before printed.
        match = re.search(r"\[Rename\].*?uid = (\d+)", self.output, re.S)
        return text.replace("UID_OF_text", match.group(1)) if match else text

    def show(self, text):
        """Prints what a reader sees, in the order in which it happens."""
        if self.options.play:
            print(text, flush=True)

    def shell(self, line, argument, text):
        commands = text = self.substituted(text)
        self.show("".join(f"\n$ {command}" for command in text.strip().split("\n")))
        if self.options.generate:
            commands = re.sub(r"swift package \S+ objectbox-generator",
                              os.path.abspath(self.options.generate), commands)
        # Where the shell ends up is where the next block begins.
        script = f"set -eu\n{commands}\npwd > {self.top}/pwd\n"
        start = time.monotonic()
        run = subprocess.run(["bash", "-c", script], cwd=self.directory, env=self.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.times.append((time.monotonic() - start, text.strip().split("\n")[0]))
        self.output = run.stdout
        self.show(run.stdout.rstrip("\n"))
        if (run.returncode != 0) != (argument == "fails"):
            self.fail(line, f"the block ends with {run.returncode}:\n{run.stdout[-4000:]}")
        if argument != "fails":
            self.directory = open(f"{self.top}/pwd").read().strip()

    def edit(self, line, name, text):
        path = os.path.join(self.directory, name)
        old = "".join(x[1:] + "\n" for x in text.split("\n") if x[:1] in ("-", " "))
        new = "".join(x[1:] + "\n" for x in text.split("\n") if x[:1] in ("+", " "))
        content = open(path, encoding="utf-8").read()
        old, new = self.substituted(old), self.substituted(new)
        self.show(f"\n-- {name}\n{self.substituted(text).rstrip()}")
        if content.count(old) != 1:
            self.fail(line, f"the lines to edit stand {content.count(old)} times in {name}")
        open(path, "w", encoding="utf-8").write(content.replace(old, new))

    def expect(self, line, text):
        for wanted in text.strip("\n").split("\n"):
            if wanted not in self.output:
                self.fail(line, f"'{wanted}' is not in the output:\n{self.output[-4000:]}")

    def run(self):
        for line, kind, argument, text in blocks(self.options.page):
            if kind == "heading":
                self.show(f"\n== {text}")
            elif kind == "sh":
                self.shell(line, argument, text)
            elif kind == "output":
                self.expect(line, text)
            elif kind == "edit":
                self.edit(line, argument, text)
            elif argument:
                path = os.path.join(self.directory, argument)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                content = self.substituted(text)
                open(path, "w", encoding="utf-8").write(content)
                self.show(f"\n-- {argument}\n{content.rstrip()}")
        shutil.rmtree(self.top)


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("page")
parser.add_argument("--boxjoint", required=True, help="the built program")
parser.add_argument("--generate", help="the built generator; without it the plugin runs")
parser.add_argument("--scratch", required=True, help="the directory to work in")
parser.add_argument("--build", required=True, help="the directory to build in")
parser.add_argument("--times", action="store_true", help="print the wall time of each block")
parser.add_argument("--play", action="store_true", help="print what each block does and prints")
options = parser.parse_args()
run = Run(options)
run.run()
if options.times:
    for seconds, command in run.times:
        print(f"{seconds:7.1f} s  {command}")
print(f"check-tutorial: {len(run.times)} blocks of commands of {options.page} do what it says")
