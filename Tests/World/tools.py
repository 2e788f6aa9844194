"""Processes of a world: the programs, git, and what each of them answered."""

import os
import subprocess


class Broken(Exception):
    """A disagreement between the oracle and the programs. `law` names what was broken, so that a shorter schedule can
    be told from another failure."""

    def __init__(self, law, message):
        super().__init__(f"{law}: {message}")
        self.law, self.message = law, message


class Answer:
    """What a process printed, and its status."""

    def __init__(self, command, code, out, err):
        self.command, self.code, self.out, self.err = command, code, out, err

    def __str__(self):
        text = f"$ {' '.join(self.command)}\n[status {self.code}]\n"
        return text + shortened(self.out) + shortened(self.err)


def shortened(text, limit=3000):
    return text if len(text) <= limit else text[:limit] + "…\n"


class Programs:
    """The programs of one world, in an environment that no setting of the user reaches."""

    def __init__(self, boxjoint, generator, directory, planted):
        self.boxjoint, self.generator, self.planted = boxjoint, generator, planted
        self.log, self.processes, self.counts = [], 0, {}
        shims = directory / "bin"
        shims.mkdir()
        (shims / "boxjoint").symlink_to(boxjoint)
        home = directory / "home"
        home.mkdir()
        self.environment = {
            "PATH": f"{shims}:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8", "TMPDIR": str(home),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_EDITOR": "true",
            "GIT_MERGE_AUTOEDIT": "no", "NO_COLOR": "1",
        }

    def run(self, command, cwd, input="", codes=None, environment=None):
        """Runs a command. A status that is not one of `codes` breaks the law that its first words name."""
        command = [str(word) for word in command]
        self.processes += 1
        done = subprocess.run(
            command, cwd=cwd, input=input.encode(), capture_output=True, timeout=120,
            env=self.environment | (environment or {}))
        answer = Answer(self.short(command), done.returncode, done.stdout.decode(errors="replace"),
                        done.stderr.decode(errors="replace"))
        words = [word for word in answer.command[:3] if not word.startswith("-") and "/" not in word]
        name = " ".join(words[:3 if len(words) > 1 and words[1] == "store" else 2]) + f" {answer.code}"
        self.counts[name] = self.counts.get(name, 0) + 1
        self.log.append(answer)
        del self.log[:-12]
        if answer.code < 0 or answer.code > 128:
            raise Broken("crash", str(answer))
        if codes is not None and answer.code not in codes:
            words = [word for word in answer.command[1:4] if not word.startswith("-")]
            raise Broken("status " + " ".join([answer.command[0], *words[:2]]), f"expected {codes}\n{answer}")
        return answer

    def short(self, command):
        return [os.path.basename(command[0]), *command[1:]]

    def box(self, cwd, *arguments, codes=(0,), input="", environment=None):
        words = self.planted.command([str(word) for word in arguments])
        if words is None:
            return Answer(["boxjoint", *map(str, arguments)], 0, "", "")
        return self.run([self.boxjoint, *words], cwd, input, codes, environment)

    def git(self, cwd, *arguments, codes=(0,), environment=None):
        return self.run(["git", *arguments], cwd, "", codes, environment)

    def start(self, cwd, *arguments):
        """Begins a command of the program without waiting for it."""
        self.processes += 1
        return subprocess.Popen(
            [self.boxjoint, *map(str, arguments)], cwd=cwd, env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
