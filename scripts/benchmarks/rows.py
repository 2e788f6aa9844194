"""What every benchmark prints: rows of a work, what we need for it, what others need, a goal."""

import json


def row(work, unit, ours, peers, goal, holds):
    return {"work": work, "unit": unit, "ours": ours, "peers": peers, "goal": goal, "holds": holds}


def add_options(parser):
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def table(rows, ratios=False):
    """A table in Markdown; with ratios, ours as a multiple of each peer stands in brackets."""
    lines = ["| work | unit | ours | peers | goal | holds |", "|---|---|---|---|---|---|"]
    for row in rows:
        peers = ", ".join(
            f"{name}: {value}" + (f" ({row['ours'] / value:.2f}x)" if ratios and value else "")
            for name, value in row["peers"].items())
        lines.append(f"| {row['work']} | {row['unit']} | {row['ours']} | {peers} | {row['goal']} | "
                     f"{'yes' if row['holds'] else 'no'} |")
    return "\n".join(lines)


def report(rows, form, ratios=False):
    """Prints the rows; returns the exit status."""
    print(json.dumps({"rows": rows}, indent=2) if form == "json" else table(rows, ratios))
    return 0 if all(row["holds"] for row in rows) else 1
