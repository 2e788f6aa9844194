"""A picture of the recall of graphs against the time of a search."""

import math

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 360, 60, 30, 50
COLORS = {"graph": "#2a6fb0", "hnswlib": "#b0552a"}
NAMES = {"graph": "BoxVector", "hnswlib": "hnswlib"}
COUNTS = [10, 20, 40, 100, 200, 400]


def svg(results):
    """The text of the picture; results are those of `scripts/bench vectors --format json`."""
    panel = (WIDTH - LEFT) / len(results)
    times = [measured[f"{peer} {count} us"] for measured in results.values()
             for peer in COLORS for count in COUNTS]
    low, high = math.log10(min(times)) - 0.05, math.log10(max(times)) + 0.05
    recalls = [measured[f"{peer} {count} recall"] for measured in results.values()
               for peer in COLORS for count in COUNTS]
    floor = math.floor(min(recalls) * 10) / 10

    def y(recall):
        return TOP + (1 - recall) / (1 - floor) * (HEIGHT - TOP - BOTTOM)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        "<title>Recall at 10 against the time of a search</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for step in range(5):
        recall = floor + (1 - floor) * step / 4
        lines.append(f'<text x="{LEFT - 8}" y="{y(recall) + 4:.1f}" text-anchor="end">{recall:.2f}</text>')
    for position, (name, measured) in enumerate(results.items()):
        start = LEFT + position * panel

        def x(microseconds, start=start):
            return start + 8 + (math.log10(microseconds) - low) / (high - low) * (panel - 24)

        lines.append(
            f'<rect x="{start:.1f}" y="{TOP}" width="{panel - 8:.1f}" height="{HEIGHT - TOP - BOTTOM}" '
            'fill="none" stroke="#ccc"/>')
        lines.append(
            f'<text x="{start + panel / 2:.1f}" y="{TOP - 10}" text-anchor="middle">{name}, '
            f'{measured["vectors"]:,.0f}</text>')
        for mark in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
            if low <= math.log10(mark) <= high:
                lines.append(
                    f'<text x="{x(mark):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{mark}</text>')
        for peer, color in COLORS.items():
            points = [(x(measured[f"{peer} {count} us"]), y(measured[f"{peer} {count} recall"]))
                      for count in COUNTS]
            path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
            lines.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"/>')
            lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{color}"/>' for a, b in points]
    lines.append(f'<text x="{LEFT}" y="{HEIGHT - 14}">recall at 10 by microseconds for a search</text>')
    for position, (peer, color) in enumerate(COLORS.items()):
        lines.append(
            f'<text x="{WIDTH - 200 + 100 * position}" y="{HEIGHT - 14}" fill="{color}">{NAMES[peer]}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"
