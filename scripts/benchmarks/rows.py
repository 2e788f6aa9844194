"""What every benchmark prints: rows of a work, what we need for it, what others need, a goal."""

import json
import re


def row(work, unit, ours, peers, goal, holds, processor=None):
    """A row. The processor time, of user and system, has the unit of the row and is by name, with
    "ours" among the names; it scatters less than the time by the clock."""
    return {"work": work, "unit": unit, "ours": ours, "peers": peers, "processor": processor or {},
            "goal": goal, "holds": holds}


def add_options(parser):
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def table(rows, ratio_units=()):
    """A table in Markdown, without columns that are empty in every row. In rows of these units, ours as a
    multiple of each peer is in brackets."""
    def cells(one):
        def compared(ours, values):
            return ", ".join(
                f"{name}: {value}"
                + (f" ({ours / value:.2f}x)" if name != "ours" and one["unit"] in ratio_units and value else "")
                for name, value in values.items())
        processor = one["processor"]
        return [one["work"], one["unit"], one["ours"], compared(one["ours"], one["peers"]),
                compared(processor.get("ours"), processor), one["goal"], "yes" if one["holds"] else "no"]

    heads = ["work", "unit", "ours", "peers", "processor time", "goal", "holds"]
    lines = [[str(cell) for cell in cells(one)] for one in rows]
    shown = [at for at, head in enumerate(heads)
             if head not in ("peers", "processor time") or any(line[at] for line in lines)]
    return "\n".join(["| " + " | ".join(heads[at] for at in shown) + " |", "|" + "---|" * len(shown)]
                     + ["| " + " | ".join(line[at] for at in shown) + " |" for line in lines])


def report(rows, form, ratio_units=()):
    """Prints the rows; returns the exit status."""
    print(json.dumps({"ratios": list(ratio_units), "rows": rows}, indent=1, ensure_ascii=False)
          if form == "json" else table(rows, ratio_units))
    return 0 if all(one["holds"] for one in rows) else 1


def parsed(text):
    """The rows of the tables in a text, with the values that are numbers: the inverse of `table`."""
    heads, rows = None, []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| work |"):
            heads = [cell.strip("| ") for cell in line.strip().strip("|").split("|")]
        elif heads and line.startswith("| ") and len(cells) == len(heads):
            one = dict(zip(heads, cells))
            rows.append(row(one["work"], one["unit"], number(one["ours"]), values(one.get("peers", "")),
                            one["goal"], one["holds"] == "yes"))
        elif not line.startswith("|"):
            heads = None
    return rows


def values(text):
    """The numbers of a cell such as `lmdb-c: 0.575 (0.99x), grdb: 10.7`, by their names."""
    return {name.strip(): number(value)
            for name, value in re.findall(r"([^,:()]+): ([\d.]+)", text)}


def number(text):
    try:
        return float(text)
    except ValueError:
        return None
