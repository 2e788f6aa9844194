"""Draws the lines of a terminal as an SVG: prompts, what was typed, output and marked lines.

usage: terminal.py LABEL [COLUMNS] < LINES
"""

import html
import re
import sys

SIZE, HEIGHT, MARGIN, ADVANCE = 14, 20, 20, 8.43
COLOURS = {"ground": "#1d1f21", "text": "#c5c8c6", "prompt": "#81a2be", "typed": "#ffffff",
           "good": "#b5bd68", "bad": "#cc6666", "quiet": "#969896"}
# The colour of a line by its beginning.
MARKS = [
    (r"(<<<<<<<|=======|>>>>>>>|CONFLICT|\S+: error:)", "bad"),
    (r"(  \(observer:|boxjoint: |no problems|Merge made)", "good"),
    (r"(  help:|     -> |# )", "quiet"),
]


def drawn(line, columns):
    if len(line) > columns:
        line = line[: columns - 1] + "…"
    if line.startswith("$ "):
        return (f'<tspan fill="{COLOURS["prompt"]}">$</tspan> '
                f'<tspan fill="{COLOURS["typed"]}">{html.escape(line[2:], quote=False)}</tspan>')
    text = html.escape(line, quote=False)
    for pattern, colour in MARKS:
        if re.match(pattern, line):
            return f'<tspan fill="{COLOURS[colour]}">{text}</tspan>'
    return text


def main():
    label = sys.argv[1]
    columns = int(sys.argv[2]) if len(sys.argv) > 2 else 71
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width = round(2 * MARGIN + columns * ADVANCE)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
          f'height="{len(lines) * HEIGHT + 2 * MARGIN}" role="img" aria-label="{label}">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{COLOURS["ground"]}"/>')
    print(f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="{SIZE}" '
          f'fill="{COLOURS["text"]}">')
    for number, line in enumerate(lines, 1):
        if line:
            print(f'<text x="{MARGIN}" y="{MARGIN + number * HEIGHT - 6}" xml:space="preserve">'
                  f"{drawn(line, columns)}</text>")
    print("</g>")
    print("</svg>")


main()
