"""Runs the blocks of a page before its first heading and under one of the others, and compares what they print."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(page, heading):
    """The line, the kind and the text of each block before the first heading, and under the one that is named."""
    start, place = None, None
    for number, line in enumerate(open(page, encoding="utf-8").read().split("\n"), 1):
        if start is None:
            match = re.fullmatch(r"```(sh|python|output)", line)
            if line.startswith("## "):
                place = line[3:]
            elif match and place in (None, heading):
                start, kind, text = number, match.group(1), []
        elif line == "```":
            yield start, kind, "\n".join(text) + "\n"
            start = None
        else:
            text.append(line)


def normal(text):
    """The words of a text: lines may be broken in the page."""
    return " ".join(text.split())


class Run:
    """The blocks of a page in one directory, those of Python in one process."""

    def __init__(self, options):
        self.page = options.page
        self.directory = tempfile.mkdtemp()
        programs = os.path.join(self.directory, ".bin")
        os.mkdir(programs)
        os.symlink(os.path.abspath(options.boxjoint), os.path.join(programs, "boxjoint"))
        self.environment = dict(
            os.environ, PATH=programs + ":" + os.environ["PATH"], NO_COLOR="1", LC_ALL="C.UTF-8",
            PYSPARK_PYTHON=options.python, SPARK_LOCAL_IP="127.0.0.1")
        examples = os.path.join(os.path.dirname(os.path.abspath(options.page)), "examples", "people")
        for name in ("model.json", "people.ndjson"):
            shutil.copy(os.path.join(examples, name), self.directory)
        self.errors = open(os.path.join(self.directory, ".errors"), "w+", encoding="utf-8")
        # A block is a line of JSON; what it prints ends with a zero, and whether it failed.
        loop = ("import json, sys, traceback\nnames = {}\nfor line in sys.stdin:\n    state = 'ok'\n    try:\n"
                "        exec(compile(json.loads(line), 'block', 'exec'), names)\n    except BaseException:\n"
                "        state = 'failed'\n        traceback.print_exc()\n    print('\\0' + state, flush=True)\n")
        self.python = subprocess.Popen(
            [options.python, "-c", loop], cwd=self.directory, env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, text=True, encoding="utf-8")

    def fail(self, line, message):
        """Ends the run."""
        self.errors.seek(0)
        self.python.kill()
        sys.exit(f"{self.page}:{line}: {message}\n{self.errors.read()[-4000:]}")

    def shell(self, line, text):
        """What a block of commands prints."""
        run = subprocess.run(["bash", "-c", "set -euo pipefail\n" + text], cwd=self.directory, env=self.environment,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
                             check=False)
        if run.returncode:
            self.fail(line, f"the block ends with {run.returncode}:\n{run.stdout[-4000:]}")
        return run.stdout

    def code(self, line, text):
        """What a block of Python prints."""
        self.python.stdin.write(json.dumps(text) + "\n")
        self.python.stdin.flush()
        output = ""
        for printed in self.python.stdout:
            if printed.startswith("\0"):
                if printed != "\0ok\n":
                    self.fail(line, "the block fails")
                return output
            output += printed
        self.fail(line, "Python has ended")
        return ""

    def run(self, heading):
        """Runs everything; returns the number of blocks."""
        count, output = 0, ""
        for line, kind, text in blocks(self.page, heading):
            if kind == "output":
                if normal(text) not in normal(output):
                    self.fail(line, f"expected\n{text}and found\n{output[-4000:]}")
                continue
            count += 1
            output = self.shell(line, text) if kind == "sh" else self.code(line, text)
        self.python.stdin.close()
        if self.python.wait():
            self.fail(1, "Python ends with an error")
        self.errors.close()
        shutil.rmtree(self.directory)
        return count


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("page")
parser.add_argument("heading")
parser.add_argument("--boxjoint", required=True, help="the built program")
parser.add_argument("--python", required=True, help="the Python that the blocks run in")
arguments = parser.parse_args()
done = Run(arguments).run(arguments.heading)
print(f"check-spark: {done} blocks of {arguments.page} about \"{arguments.heading}\" do what it says")
