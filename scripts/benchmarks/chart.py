"""Draws the rows of `scripts/bench api --format json` as bars, in SVG: chart.py <ROWS.json >CHART.svg

Each row has a scale of its own, from 0 to the slowest: bars of different rows do not compare.
"""

import json
import sys
from xml.sax.saxutils import escape

WIDTH, BAR, GAP, MARGIN = 720, 16, 4, 20
NAMES, VALUES = 170, 90
OURS, OTHERS = "#2f6fb0", "#b8bec7"
TITLES = {"ours": "BoxStore", "engine": "engine by hand", "sqlite-c": "SQLite in C"}


def title(name):
    return TITLES.get(name, name.replace("grdb", "GRDB"))


def compared(row):
    """Whether a row compares with other libraries, and not with another work of ours."""
    return row["unit"] == "ns" and any(name.split()[0] in ("grdb", "sqlite-c", "engine")
                                       for name in row["peers"])


def time(nanoseconds):
    if nanoseconds < 1000:
        return f"{nanoseconds:.3g} ns"
    return f"{nanoseconds / 1000:.3g} µs"


def chart(rows):
    parts = []
    y = MARGIN
    for row in filter(compared, rows):
        parts.append(f'<text x="{MARGIN}" y="{y + 12}" font-weight="600">{escape(row["work"])}</text>')
        y += 20
        bars = [("ours", row["ours"]), *row["peers"].items()]
        longest = max(value for _, value in bars)
        for name, value in bars:
            length = (WIDTH - 2 * MARGIN - NAMES - VALUES) * value / longest
            x = MARGIN + NAMES
            parts.append(
                f'<text x="{x - 8}" y="{y + 12}" text-anchor="end">{escape(title(name))}</text>'
                f'<rect x="{x}" y="{y}" width="{length:.1f}" height="{BAR}" rx="2"'
                f' fill="{OURS if name == "ours" else OTHERS}"/>'
                f'<text x="{x + length + 6:.1f}" y="{y + 12}">{time(value)}</text>')
            y += BAR + GAP
        y += 12
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" role="img"'
            ' aria-label="Times for one object: BoxStore, the engine by hand, SQLite in C, GRDB">')
    return "\n".join([head, '<rect width="100%" height="100%" fill="#ffffff"/>',
                      '<g font-family="system-ui, sans-serif" font-size="13" fill="#1f2328">',
                      *parts, "</g>", "</svg>", ""])


if __name__ == "__main__":
    sys.stdout.write(chart(json.load(sys.stdin)["rows"]))
