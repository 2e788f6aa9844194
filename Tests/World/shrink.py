"""Drops steps of a schedule while it breaks the same law."""

import time


def shortest(steps, law, play, seconds):
    """A schedule from which no step can be dropped, as far as that is found in some seconds. `play` returns what a
    schedule breaks, or None."""
    end = time.monotonic() + seconds
    size = max(len(steps) // 2, 1)
    while size:
        start = 0
        while start < len(steps) and time.monotonic() < end:
            fewer = steps[:start] + steps[start + size:]
            broken = play(fewer)
            if broken and broken.law == law:
                steps = fewer
            else:
                start += size
        size //= 2
    return steps
