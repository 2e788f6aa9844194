"""Faults that are planted between the programs and the oracle, one in each part, each of which the law has to find."""

import json
import re
import sys
import time

LIMIT = 2000


class Fault:
    """What happens to the answers and the files of a world; without a name, nothing."""

    def __init__(self, name):
        self.name = name
        self.file, self.answer, self.words = FAULTS[name] if name else (None, None, None)

    def touch(self, point, path):
        """Changes a model file that a program wrote."""
        if self.file and self.file[0] == point:
            model = json.loads(path.read_text())
            if self.file[1](model):
                path.write_text(json.dumps(model, indent=2) + "\n")

    def value(self, point, value):
        """Changes what a program answered."""
        return self.answer[1](value) if self.answer and self.answer[0] == point else value

    def command(self, words):
        """Changes the words of a command, or answers that it is not run at all, with None."""
        return self.words(words) if self.words else words


def properties(model):
    return [property for entity in model["entities"] for property in entity["properties"]]


# Models

def new_uid(model):
    """Gives the last property another UID, as a generator that lost its file."""
    last = properties(model)[-1]
    number, uid = last["id"].split(":")
    last["id"] = f"{number}:{int(uid) ^ 2}"
    return True


def no_index(model):
    found = [property for property in properties(model) if "indexId" in property]
    for property in found[-1:]:
        del property["indexId"]
        property["flags"] &= ~(8 | 32 | 2048 | 4096)
    return found


def loses_property(model):
    entity = max(model["entities"], key=lambda entity: len(entity["properties"]))
    gone = entity["properties"].pop()
    model["retiredPropertyUids"].append(int(gone["id"].split(":")[1]))
    return True


def other_name(model):
    model["entities"][-1]["properties"][-1]["name"] += "Old"
    return True


def swaps_ids(model):
    """Exchanges the ids of two properties, which devices know."""
    first, second = model["entities"][0]["properties"][1:3]
    left, right = first["id"].split(":"), second["id"].split(":")
    first["id"], second["id"] = f"{right[0]}:{left[1]}", f"{left[0]}:{right[1]}"
    return True


def other_target(model):
    for entity in model["entities"]:
        for property in entity["properties"]:
            if "relationTarget" in property:
                names = [entity["name"] for entity in model["entities"]]
                property["relationTarget"] = names[names.index(property["relationTarget"]) - 1]
                return True
    return False


def counter_back(model):
    """Lowers the last id of an entity whose last property was removed, so that its id is given again."""
    for entity in model["entities"]:
        highest = max(entity["properties"], key=lambda property: int(property["id"].split(":")[0]))
        entity["lastPropertyId"] = highest["id"]
    return True


# Answers

def edit_lines(dump, change):
    lines = dump.splitlines()
    for number, line in enumerate(lines[1:-1], 1):
        changed = change(line)
        if changed != line:
            return "\n".join([*lines[:number], *([changed] if changed else []), *lines[number + 1:]])
    return dump


def loses_object(dump):
    return edit_lines(dump, lambda line: "" if '{"id":' in line else line)


def loses_link(dump):
    return edit_lines(dump, lambda line: "" if '"targets"' in line else line)


def rounds(dump):
    return edit_lines(dump, lambda line: line.replace("9223372036854775807", "9223372036854775808"))


def folds(dump):
    return edit_lines(dump, lambda line: line.replace('"e\u0301"', '"é"'))


def lower_last_id(dump):
    return re.sub(r'"lastId":([1-9]\d*)', lambda found: f'"lastId":{int(found[1]) - 1}', dump, count=1)


# Commands

def skipped(*first):
    """A command that says it is done, and does nothing."""
    return lambda words: None if tuple(words[:len(first)]) == first else words


def compact_purges(words):
    return [*words, "--purge", "--yes"] if words[:2] == ["store", "compact"] and "--purge" not in words else words


def mode_replace(words):
    if words[0] == "store" and words[1] == "put" or words[0] == "import":
        return ["replace" if word == "upsert" else word for word in words]
    return words


def no_rules(words):
    return [*words, "--no-rules"] if words[0] == "import" and "--model" in words else words


def purged_migration(words):
    return [*words, "--purge"] if words[0] == "migrate" and "--purge" not in words else words


def restarts(words):
    """An import that is to continue begins again."""
    return ["--restart" if word == "--resume" else word for word in words]


def smaller(words):
    """A condition with another limit."""
    return [word.replace(">=", ">") if words[0] == "query" else word for word in words]


def other_side(words):
    swap = {"ours": "theirs", "theirs": "ours"}
    return [swap.get(word, word) if words[0] == "resolve" else word for word in words]


# Of each fault: a file that it changes, an answer, or the words of a command.
FAULTS = {
    "generator: a property gets another UID": (("generated model", new_uid), None, None),
    "generator: an index is left out": (("generated model", no_index), None, None),
    "generator: ids are exchanged": (("generated model", swaps_ids), None, None),
    "generator: a last id goes back": (("generated model", counter_back), None, None),
    "merge: a property is retired": (("merged model", loses_property), None, None),
    "merge: a name is an old one": (("merged model", other_name), None, None),
    "merge: a relation leads elsewhere": (("merged model", other_target), None, None),
    "resolve: the other side is taken": (None, None, other_side),
    "dump: an object is missing": (None, ("dump", loses_object), None),
    "dump: a link is missing": (None, ("dump", loses_link), None),
    "dump: an integer is rounded": (None, ("dump", rounds), None),
    "dump: an accent is composed": (None, ("dump", folds), None),
    "dump: a last id is lower": (None, ("dump", lower_last_id), None),
    "query: a row is missing": (None, ("query", lambda rows: rows[:-1]), None),
    "query: a limit is left out": (None, None, smaller),
    "plan: a refusal is not foreseen": (None, ("plan", lambda uids: set()), None),
    "put: an upsert replaces": (None, None, mode_replace),
    "set: nothing is stored": (None, None, skipped("store", "set")),
    "remove: nothing is removed": (None, None, skipped("store", "remove")),
    "link: nothing is linked": (None, None, skipped("store", "link")),
    "open: rules are dropped": (None, None, no_rules),
    "migrate: hidden data is purged": (None, None, purged_migration),
    "compact: hidden data is purged": (None, None, compact_purges),
    "import: a resumed import begins again": (None, None, restarts),
}


def find(options, schedule, run):
    """Looks for a seed that finds each fault, and prints a table. Returns the status of the process."""
    first, status = options.seed or 1, 0
    names = [name for name in FAULTS if options.planted in ("all", name)]
    for name in names:
        begin = time.monotonic()
        for seed in range(first, first + LIMIT):
            broken, _ = run(seed, options, schedule(seed, options.steps), name)
            if broken:
                break
        else:
            status = 1
            print(f"{name:42} not found in {LIMIT} seeds", file=sys.stderr)
            continue
        print(f"{name:42} {seed - first + 1:5} {time.monotonic() - begin:6.0f} s  {broken.law}", flush=True)
    return status
