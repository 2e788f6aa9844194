"""What every benchmark prints: rows of a work, what we need for it, what others need, a goal."""

import json


def row(work, unit, ours, peers, goal, holds):
    return {"work": work, "unit": unit, "ours": ours, "peers": peers, "goal": goal, "holds": holds}


def add_options(parser):
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def table(rows, ratio_units=()):
    """A table in Markdown. In rows of these units, ours as a multiple of each peer is in brackets."""
    lines = ["| work | unit | ours | peers | goal | holds |", "|---|---|---|---|---|---|"]
    for one in rows:
        peers = ", ".join(
            f"{name}: {value}"
            + (f" ({one['ours'] / value:.2f}x)" if one["unit"] in ratio_units and value else "")
            for name, value in one["peers"].items())
        lines.append(f"| {one['work']} | {one['unit']} | {one['ours']} | {peers} | {one['goal']} | "
                     f"{'yes' if one['holds'] else 'no'} |")
    return "\n".join(lines)


def report(rows, form, ratio_units=()):
    """Prints the rows; returns the exit status."""
    print(json.dumps({"rows": rows}, indent=2) if form == "json" else table(rows, ratio_units))
    return 0 if all(one["holds"] for one in rows) else 1
