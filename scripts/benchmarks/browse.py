"""Measures the pages of `boxjoint browse`, by a client of its own over one connection, and in Chromium where that is
there. See scripts/bench."""

import contextlib
import json
import math
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import harness

ROWS, ENTRIES, KINDS = 50, 100_000, 1000
PAGE_MS, DEEP, ENTRIES_MS, STATE_MS, LONGEST_MS, VERSION_MS = 10, 1.5, 20, 0.2, 2200, 5
PAGE_KIB, ASSETS_KIB, REQUESTS, IDLE_MIB, BUSY_MIB = 64, 48, 3, 16, 32
PAINT_MS, ANNOUNCED_MS, COMMITS, GROWN_OBJECTS = 50, 1500, 100, 100_000
CHROMIUM = "/usr/bin/chromium"
PAINTS = "performance.getEntriesByName('first-contentful-paint').map(paint => paint.startTime)"
ID = {"id": "1:11", "name": "id", "type": 6, "flags": 1}
MODEL = {
    "entities": [
        {"id": "1:10", "lastPropertyId": "4:14", "name": "Event", "properties": [
            ID, {"id": "2:12", "name": "number", "type": 5, "flags": 8, "indexId": "1:31"},
            {"id": "3:13", "name": "kind", "type": 5, "flags": 8, "indexId": "2:32"},
            {"id": "4:14", "name": "text", "type": 9}]},
        {"id": "2:20", "lastPropertyId": "2:22", "name": "Hub", "properties": [
            {**ID, "id": "1:21"}, {"id": "2:22", "name": "name", "type": 9}],
         "relations": [{"id": "1:41", "name": "events", "targetId": "1:10"}]},
    ],
    "lastEntityId": "2:20", "lastIndexId": "2:32", "lastRelationId": "1:41",
    "modelVersion": 5, "modelVersionParserMinimum": 5, "version": 1,
}


def make_store(binary, place, count):
    (place / "model.json").write_text(json.dumps(MODEL), encoding="ascii")
    # Without a factor in common with the count: each number once, in another order than the ids.
    step = next(step for step in range(7919, 7919 + count) if math.gcd(step, count) == 1)
    with (place / "events.ndjson").open("w", encoding="ascii") as file:
        for at in range(1, count + 1):
            event = {"id": at, "number": at * step % count, "kind": at % KINDS, "text": f"event {at}"}
            file.write(json.dumps({"Event": event}) + "\n")
        file.write('{"Hub":{"id":1,"name":"many"}}\n')
        targets = list(range(1, min(ENTRIES, count) + 1))
        file.write(json.dumps({"Hub.events": {"source": 1, "targets": targets}}) + "\n")
    subprocess.run([binary, "import", "--store", "data", "--model", "model.json", "events.ndjson"],
                   cwd=place, check=True, stdout=subprocess.DEVNULL)
    (place / "events.ndjson").unlink()


class Server:
    """The command that answers, and the connection to it."""

    def __init__(self, binary, place):
        self.process = subprocess.Popen(
            [binary, "browse", "data", "--trust", "--port", "0"], cwd=place, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        address = urlsplit(self.address)
        self.path, self.host = address.path, address.netloc
        self.connection = socket.create_connection((address.hostname, address.port))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def body(self, path):
        """The body of a page of the store, or of an absolute path."""
        path = path if path.startswith("/") else self.path + path
        self.connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode("ascii"))
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.received()
        head, _, body = answer.partition(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            sys.exit(f"browse: {path}: {head.decode()}")
        length = int(re.search(rb"(?i)\r\ncontent-length: (\d+)", head)[1])
        parts, left = [body], length - len(body)
        while left > 0:
            parts.append(self.received())
            left -= len(parts[-1])
        return b"".join(parts)

    def received(self):
        some = self.connection.recv(1 << 18)
        if not some:
            sys.exit("browse: the server has closed the connection")
        return some

    def milliseconds(self, path, times):
        """The median from the request to the last byte."""
        taken = []
        for _ in range(times):
            start = time.perf_counter()
            self.body(path)
            taken.append(1000 * (time.perf_counter() - start))
        return statistics.median(taken)

    def end(self):
        self.connection.close()
        self.process.send_signal(signal.SIGINT)
        if self.process.wait(timeout=60):
            sys.exit(f"browse: the command ended with {self.process.returncode}")


def table(**parameters):
    query = "&".join(f"{name.replace('_', '-')}={quote_plus(str(value))}" for name, value in parameters.items())
    return "Event" + ("?" + query if query else "")


class App:
    """A program with the store open, which commits when it is told to: a shell."""

    def __init__(self, binary, place):
        self.process = subprocess.Popen(
            [binary, "shell", "data", "--trust"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.number = 0

    def commit(self):
        self.number += 1
        self.process.stdin.write(f"set Event {self.number % 50 + 1} 'text=\"{self.number}\"'\n")
        self.process.stdin.flush()
        if "1 object changed" not in self.process.stdout.readline():
            sys.exit("browse: the app has changed nothing")

    def run(self, seconds):
        """Commits COMMITS times a second."""
        start = time.monotonic()
        for at in range(int(seconds * COMMITS)):
            time.sleep(max(0, start + at / COMMITS - time.monotonic()))
            self.commit()

    def end(self):
        self.process.stdin.close()
        if self.process.wait(timeout=60):
            sys.exit(f"browse: the shell ended with {self.process.returncode}")


@contextlib.contextmanager
def chromium():
    """A browser; None without Chromium or playwright."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if sync_playwright is None or not Path(CHROMIUM).exists():
        print("browse: without Chromium and playwright nothing is painted; CI=1 scripts/bootstrap installs both",
              file=sys.stderr)
        yield None
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def painted(browser, address, times):
    """The median from the beginning of a navigation to the first paint with content, in milliseconds."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    taken = []
    for _ in range(times + 1):
        page.goto(address)
        # The pages forbid the evaluation of strings, by which wait_for_function() works.
        while not (paints := page.evaluate(PAINTS)):
            page.wait_for_timeout(5)
        taken += paints
    page.close()
    # The first one also starts the process of the page.
    return statistics.median(taken[1:])


def announced(browser, address, app, times):
    """The median from a commit to the words about it on the page, in milliseconds."""
    page = browser.new_page()
    taken = []
    for _ in range(times):
        page.goto(address)
        page.wait_for_timeout(300)
        start = time.perf_counter()
        app.commit()
        page.wait_for_selector(".note.live")
        taken.append(1000 * (time.perf_counter() - start))
    page.close()
    return statistics.median(taken)


def growth(binary, place, seconds, browser):
    """The bytes by which the file of an app grows while it writes, without a page and with each kind in `browser`."""
    grown = {}
    for name, live in [("without a page", None), ("with a page", ""), ("with live=1", "&live=1")]:
        own = place / name.replace(" ", "-")
        own.mkdir()
        make_store(binary, own, GROWN_OBJECTS)
        app = App(binary, own)
        server = Server(binary, own) if live is not None else None
        page = browser.new_page() if server else None
        # Pages that are free at the beginning are used first.
        app.run(min(seconds / 10, 10))
        if page:
            page.goto(server.address + table(order_by="number") + live)
        before = (own / "data/data.mdb").stat().st_size
        app.run(seconds)
        grown[name] = (own / "data/data.mdb").stat().st_size - before
        app.end()
        if server:
            page.close()
            server.end()
    return grown


class BrowseBench:
    def __init__(self, server, rows, count, times):
        self.server, self.rows, self.count, self.times = server, rows, count, times

    def add(self, work, unit, found, limit):
        self.rows.add(work, unit, found, {}, f"at most {harness.rounded(float(limit)):g} {unit}" if limit else "", not limit or found <= limit)

    def pages(self):
        deep = min(100_000, self.count // ROWS - 2)
        at = deep * ROWS
        for name, parameters in [("by id", {}), ("by an index", {"order_by": "number"})]:
            first = self.server.milliseconds(table(**parameters), self.times)
            self.add(f"the first page {name}", "ms", first, PAGE_MS)
            # The object at that place of the order has the number of the place, or the id.
            found = at
            if parameters:
                page = self.server.body(table(where=f"number == {at}", limit=1)).decode()
                found = int(re.search(r"/Event/(\d+)", page)[1])
            later = self.server.milliseconds(table(id=found, **parameters), self.times)
            self.add(f"page {deep:,} {name}", "ms", later, DEEP * first)
        self.add("the first page of an indexed value", "ms",
                 self.server.milliseconds(table(where="kind == 77"), self.times), PAGE_MS)
        self.add(f"an object with {min(ENTRIES, self.count):,} entries in a relation", "ms",
                 self.server.milliseconds("Hub/1", self.times), ENTRIES_MS)
        self.add("the number of the last transaction", "ms",
                 self.server.milliseconds("-/state", 20 * self.times), STATE_MS)
        self.add("what can follow in a condition", "ms", self.server.milliseconds(
            "-/complete?entity=Event&text=nu&at=2", self.times), None)

    def longest(self):
        for work, parameters in [("a search that finds nothing", {"where": 'text contains "nowhere"'}),
                                 ("an order without an index", {"order_by": "text"})]:
            self.add(work, "ms", self.server.milliseconds(table(**parameters), 3), LONGEST_MS)

    def in_browser(self, browser, binary, place, seconds):
        if browser is None:
            return
        address = self.server.address
        for name, path in [("by id", table()), ("by an index", table(order_by="number")),
                           ("of an indexed value", table(where="kind == 77"))]:
            self.add(f"the first page {name}, until it is painted", "ms",
                     painted(browser, address + path, self.times), PAINT_MS)
        app = App(binary, place)
        self.add("a commit, until the page says so", "ms",
                 announced(browser, address + table(), app, self.times), ANNOUNCED_MS)
        app.end()
        if seconds:
            grown = growth(binary, place, seconds, browser)
            other, ours, live = (bytes / 1024 for bytes in grown.values())
            work = f"growth of the file of an app, {COMMITS} commits a second for {seconds:g} s, with a page open"
            self.rows.add(work, "KiB", ours, {"without a page": other}, "not more than without a page", ours <= other)
            self.add("the same with a page that shows changes by itself (live=1)", "KiB", live, None)

    def sizes(self):
        page = self.server.body(table())
        self.add(f"a page of {ROWS} rows", "KiB", len(page) / 1024, PAGE_KIB)
        head = page.decode().partition("</head>")[0]
        assets = re.findall(r'<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"', head)
        size = sum(len(self.server.body(asset)) for asset in assets)
        self.add("style and script", "KiB", size / 1024, ASSETS_KIB)
        self.add("requests for a page", "count", 1 + len(assets), REQUESTS)


def anonymous_mib(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon:")) / 1024


def main():
    def more(parser):
        parser.add_argument("--objects", type=int)
        parser.add_argument("--growth", type=float, help="seconds for which an app writes, twice; 0 leaves it out")

    options = harness.arguments("browse", "binary", more=more)
    seconds = options.growth if options.growth is not None else 20 if options.quick else 600
    count = options.objects or (100_000 if options.quick else 10_000_000)
    if count < 4 * ROWS:
        sys.exit(f"browse: {count} objects have no later page; at least {4 * ROWS}")
    rows = harness.Rows(options)
    with harness.scratch("browse") as place:
        make_store(options.binary, place, count)
        server = Server(options.binary, place)
        bench = BrowseBench(server, rows, count, 7)
        server.body("-/state")
        idle = anonymous_mib(server.process)
        sampler = harness.MemorySampler(server.process.pid)
        bench.pages()
        bench.longest()
        bench.sizes()
        bench.add("memory above the map, idle", "MiB", idle, IDLE_MIB)
        bench.add("memory that the requests add", "MiB", max(0, sampler.peak_kb / 1024 - idle), BUSY_MIB)
        with chromium() as browser:
            bench.in_browser(browser, options.binary, place, seconds)
        server.end()
    bench.add("size of the program", "MB", options.binary.stat().st_size / 1e6, None)
    runs = harness.in_turn({"ours": [options.binary, "--version"]}, 7)
    bench.add("processor time of --version", "ms", 1000 * harness.median(runs["ours"], "processor"), VERSION_MS)
    return rows.report()


if __name__ == "__main__":
    sys.exit(main())
