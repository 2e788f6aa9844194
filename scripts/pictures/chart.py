"""Draws what scripts/bench measured as an SVG with a group of bars for each row.

usage: chart.py TITLE NOTE [PEER...] < ROWS

ROWS is the JSON of `scripts/bench NAME --format json`. With peers, the rows in seconds or nanoseconds are drawn
that have all of them.
"""

import html
import json
import sys

BAR, GAP, LEFT, WIDTH, MARGIN = 16, 14, 380, 940, 20
STYLE = """\
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.soft { fill: #59636e }
.ground { fill: #ffffff }
.ours { fill: #1a7f64 }
.peer { fill: #afb8c1 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .soft { fill: #9ca7b3 } .ground { fill: #0d1117 } .peer { fill: #59636e }
.ours { fill: #3fb68b }
}
</style>"""


# The fastest documented ways of a peer, by names of it; its usual way is not drawn beside them.
FASTEST = ("grdb cached", "grdb prepared")


def bars(row):
    yield "BoxJoint", row["ours"], "ours"
    is_fastest = any(name in FASTEST for name in row["peers"])
    for name, value in row["peers"].items():
        if isinstance(value, (int, float)) and not (is_fastest and name.startswith("grdb") and name not in FASTEST):
            yield name, value, "peer"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main():
    title, note, *peers = sys.argv[1:]
    rows = [row for row in json.load(sys.stdin)["rows"] if len(list(bars(row))) > 1]
    if peers:
        # A colon is in the name of a row that is a part of another.
        rows = [row for row in rows if row["unit"] in ("s", "ns") and set(peers) <= set(row["peers"])
                and ":" not in row["work"]]
    if not rows:
        sys.exit("chart: there is no row to draw")
    lines, y = [], MARGIN + 50
    has_units = len({row["unit"] for row in rows}) > 1
    for row in rows:
        shown = list(bars(row))
        largest = max(value for _, value, _ in shown) or 1
        lines.append(f'<text x="{MARGIN}" y="{y + 12}">{html.escape(row["work"])}</text>')
        if has_units:
            lines.append(
                f'<text class="soft" x="{MARGIN}" y="{y + 29}">{html.escape(row["unit"])}</text>')
        for name, value, kind in shown:
            length = max(1, round((WIDTH - LEFT - 200) * value / largest))
            lines.append(f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{length}" '
                         f'height="{BAR - 3}" rx="2"/>')
            lines.append(f'<text x="{LEFT + length + 6}" y="{y + 11}">{html.escape(name)} '
                         f'{number(value)}</text>')
            y += BAR
        y += GAP
    height = y + MARGIN + 10
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" role="img" '
          f'aria-label="{html.escape(title)}">')
    print(STYLE)
    print('<rect class="ground" width="100%" height="100%"/>')
    print(f'<text class="title" x="{MARGIN}" y="{MARGIN + 12}">{html.escape(title)}</text>')
    print(f'<text class="soft" x="{MARGIN}" y="{MARGIN + 32}">{html.escape(note)}</text>')
    print("\n".join(lines))
    print("</svg>")


main()
