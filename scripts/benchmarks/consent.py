"""Measures dry runs that find a loss and its code, and the same ones that find neither."""

import subprocess
import sys

import harness

LIMIT = 1.1
WORKS = {
    "remove half of {count:,} objects": "remove Thing --where 'number < {half}' --dry-run",
    "set a value in half of {count:,} objects": "set Thing --where 'number < {half}' \"text='new'\" --dry-run",
}


def main():
    options = harness.arguments("consent", "binary")
    rows = harness.Rows(options, ("s",))
    with harness.scratch("consent") as place:
        lines, store = place / "Thing.csv", place / "store"
        with lines.open("w", encoding="ascii") as file:
            file.write("number,text\n")
            file.writelines(f"{number},text of {number}\n" for number in range(options.count))
        subprocess.run([options.binary, "import", "--infer", "--entity", "Thing", "--store", store, lines],
                       check=True, stdout=subprocess.DEVNULL)
        for work, line in WORKS.items():
            command = line.format(half=options.count // 2)
            scripts = {"ours": place / "with.txt", "without a code": place / "without.txt"}
            scripts["ours"].write_text(command + "\n")
            # In a transaction of the shell nothing is lost before its end, so a dry run looks for no loss.
            scripts["without a code"].write_text(f"begin\n{command}\nrollback\n")
            runs = harness.in_turn(
                {name: ["sh", "-c", 'exec "$0" shell "$1" <"$2"', options.binary, store, script]
                 for name, script in scripts.items()}, 5 if options.quick else 11)
            rows.add_runs(
                f"a dry run of a command: {work.format(count=options.count)}", runs,
                f"at most {LIMIT}x of one without a code",
                lambda seconds, others: seconds <= LIMIT * others["without a code"])
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
