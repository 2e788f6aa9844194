"""One law over everything at once: a simulated team and its app, from a seed, in real processes.

usage: world.py --boxjoint FILE --generator FILE [--seed N] [--count N | --seconds N] [--steps N] [--planted]
"""

import argparse
import os
import random
import resource
import shutil
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import planted
import shrink
from devices import Devices
from team import Team
from tools import Broken, Programs

REPORTING = threading.Lock()
# How often each command ended with each status.
COUNTS = {}
# Each step of a schedule, by its weight.
TEAM = {"edit": 8, "branch": 2, "sync": 3, "land": 4, "contribute": 2, "pick": 2, "revert": 2, "release": 2,
        "stash": 2, "lose": 1}


class World:
    """One team and its devices, in a directory of their own."""

    def __init__(self, seed, options, fault=None):
        self.options, self.seed = options, seed
        self.directory = Path(tempfile.mkdtemp(prefix="world-", dir=options.directory))
        self.programs = Programs(options.boxjoint, options.generator, self.directory, planted.Fault(fault))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not self.options.keep:
            shutil.rmtree(self.directory, ignore_errors=True)

    def play(self, schedule):
        """Carries out a schedule. Returns what it broke, or None."""
        try:
            team = Team(self.directory, self.programs, random.Random(f"{self.seed} team"))
            devices = Devices(self.directory, self.programs, team)
            for kind, name, seed in schedule:
                owner = team if kind == "team" else devices
                getattr(owner, name)(random.Random(seed))
                devices.sample(random.Random(f"{seed} sample"))
            devices.compare_all()
        except Broken as broken:
            broken.log = self.programs.log
            return broken
        except Exception:
            broken = Broken("driver", traceback.format_exc())
            broken.log = self.programs.log
            return broken
        return None


def schedule(seed, steps):
    """The steps of a seed. Each has a seed of its own, so that one that is dropped changes no other."""
    generator = random.Random(seed)
    # Some worlds are mostly of developers, and some mostly of devices.
    share = generator.choice([1, 1, 5])
    weights = [("team", name, weight * share) for name, weight in TEAM.items()]
    weights += [("device", name, weight) for name, weight in Devices.STEPS.items()]
    chosen = generator.choices(weights, [weight for *_, weight in weights], k=steps)
    return [(kind, name, f"{seed} {number}") for number, (kind, name, _) in enumerate(chosen)]


def run(seed, options, steps, fault=None):
    with World(seed, options, fault) as world:
        broken = world.play(steps)
        for name, number in world.programs.counts.items():
            COUNTS[name] = COUNTS.get(name, 0) + number
        return broken, world.programs.processes


def report(seed, steps, broken, options):
    """Prints the shortest schedule that breaks the same law."""
    print(f"world: seed {seed} breaks a law\n{broken}", file=sys.stderr)
    if options.no_shrink:
        short = steps
    else:
        short = shrink.shortest(steps, broken.law, lambda some: run(seed, options, some)[0], options.shrink_seconds)
    print(f"world: the shortest schedule has {len(short)} of {len(steps)} steps:", file=sys.stderr)
    for kind, name, number in short:
        print(f"  {kind} {name} ({number})", file=sys.stderr)
    again = None if options.no_shrink else run(seed, options, short)[0]
    for answer in (again or broken).log[-6:]:
        print(answer, file=sys.stderr)
    print(again or broken, file=sys.stderr)


def used_time():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--boxjoint", required=True, type=os.path.abspath)
    parser.add_argument("--generator", required=True, type=os.path.abspath)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--planted", nargs="?", const="all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--go-on", action="store_true")
    parser.add_argument("--shrink-seconds", type=float, default=120)
    parser.add_argument("--directory", default="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    options = parser.parse_args()
    if options.planted:
        sys.exit(planted.find(options, schedule, run))
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 31)
    count = options.count or (1 << 31 if options.seconds else 1)
    begin, processes, done, failed = time.monotonic(), 0, 0, 0
    seeds = iter(range(first, first + count))

    def worlds():
        """Plays seed after seed, until one breaks a law or the time is over."""
        nonlocal processes, done, failed
        for seed in seeds:
            if options.seconds and time.monotonic() - begin > options.seconds or failed and not options.go_on:
                return
            steps = schedule(seed, options.steps)
            broken, used = run(seed, options, steps)
            processes, done = processes + used, done + 1
            if options.verbose:
                print(f"  {seed}: {used} processes, {time.monotonic() - begin:.0f} s, {used_time():.0f} s", flush=True)
            if broken:
                failed += 1
                with REPORTING:
                    report(seed, steps, broken, options)

    # A world waits for its processes, so that threads are enough.
    threads = [threading.Thread(target=worlds) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"world: {done} seeds from {first}, {failed} broken, {processes} processes "
          f"in {time.monotonic() - begin:.0f} s, of which {used_time():.0f} s of the processor")
    if options.verbose:
        for name, number in sorted(COUNTS.items()):
            print(f"  {number:6} {name}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
