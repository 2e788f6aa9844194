"""What every benchmark prints: rows of a work, what we need for it, what others need, a goal."""

import json


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
