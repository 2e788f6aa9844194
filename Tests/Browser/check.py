"""Looks at the pages of `boxjoint browse` in Chromium: access, widths, colours, keys, hostile names and values.

usage: check.py BOXJOINT
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "\u202edrowssap", "a\u0000b\u0007",
    "</textarea><script>alert(2)</script>", "  spaces  ", "", "\n\n", "x" * 5000, "https://example.org/", "<!--",
]


def fail(message):
    sys.exit(f"check-browser: {message}")


class Store:
    """A store in a directory of its own, and the command that shows it."""

    def __init__(self, tool, directory):
        self.tool, self.directory = tool, directory
        lines = [{"text": text, "number": number, "list": [text, "b"]} for number, text in enumerate(HOSTILE * 8)]
        (directory / "notes.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.run("model", "infer", "--entity", "No<b>te", "notes.ndjson", "--output", "model.json")
        self.run("import", "--store", "data", "--model", "model.json", "--entity", "No<b>te", "notes.ndjson")
        self.make_versions()
        self.server = subprocess.Popen(
            [tool, "browse", "data", "--port", "0", "--model", "model.json"], cwd=directory, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.server.stdout.readline().strip()
        if not re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-z]{26}/data/", self.address):
            fail(f"this is no address: {self.address}")

    def make_versions(self):
        """Two versions of the model in git, the first of which the store has, and a change that is not committed."""
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments],
                           cwd=self.directory, check=True, capture_output=True)

        file = self.directory / "model.json"
        model = json.loads(file.read_text())
        entity = model["entities"][0]
        git("init", "--quiet", "--initial-branch=main")
        for message in ["First", "Se<b>cond"]:
            file.write_text(json.dumps(model, indent=2) + "\n")
            git("add", "model.json")
            git("commit", "--quiet", "-m", message)
            # A property that nobody has, and later one of another type.
            last, uid = (int(part) for part in entity["lastPropertyId"].split(":"))
            entity["properties"].append({"id": f"{last + 1}:{uid + 1000}", "name": f"<i>{message}", "type": 9})
            entity["lastPropertyId"] = f"{last + 1}:{uid + 1000}"
        next(part for part in entity["properties"] if part["name"] == "number")["type"] = 9
        file.write_text(json.dumps(model, indent=2) + "\n")

    def run(self, *arguments):
        done = subprocess.run([self.tool, *arguments], cwd=self.directory, capture_output=True, text=True)
        if done.returncode:
            fail(f"{arguments}: {done.stderr}")
        return done.stdout

    def end(self):
        self.server.send_signal(signal.SIGINT)
        if self.server.wait(timeout=30):
            fail(f"the command ended with {self.server.returncode}")


class Watch:
    """Everything that a page must not do."""

    def __init__(self, page, address):
        self.wrong, self.own = [], address.split("/")[2]
        page.on("dialog", lambda dialog: (self.wrong.append("an alert"), dialog.dismiss()))
        page.on("console", lambda line: self.wrong.append(line.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda request: self.look(request.url))

    def look(self, url):
        if url.split("/")[2:3] != [self.own]:
            self.wrong.append(f"a request of {url}")

    def check(self, what):
        if self.wrong:
            fail(f"{what}: {self.wrong}")


def screens(address):
    table = address + "No%3Cb%3Ete"
    return [
        address, address + "-/check", address + "-/model", address + "-/history", address + "-/change", table, table + "?where=number+%3E+3&order-by=number+desc", table + "?where=numbr",
        table + "?limit=3", table + "?explain=1&live=1&zone=%2B02:00&limit=4", table + "/1", table + "/10", table + "/9999", address + "none",
    ]


def look_at_screens(browser, address):
    axe = Axe()
    for scheme in ["light", "dark"]:
        for width in [1280, 400, 320]:
            page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
            watch = Watch(page, address)
            for url in screens(address):
                page.goto(url)
                what = f"{url} at {width} px, {scheme}"
                # A page that says what is wrong has its status in the console.
                watch.wrong = [line for line in watch.wrong if "Failed to load resource" not in line]
                watch.check(what)
                if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                    fail(f"{what}: it scrolls sideways")
                found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
                if found.violations_count:
                    fail(f"{what}: {found.generate_report()}")
            page.close()


def use_without_script(browser, address):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(address)
    page.click("#nav a")
    page.fill("#where", "number > 3")
    page.fill("#order", "number desc")
    page.click("text=Show")
    if "more" not in page.content() or page.input_value("#order") != "number desc":
        fail("the form keeps nothing without a script")
    page.click("a[rel=next]")
    page.click("a[rel=prev]")
    page.click(".data tbody th a")
    if page.locator("dl.props dd").count() < 4:
        fail("the object is not shown without a script")


def use_keys(browser, address):
    page = browser.new_page()
    page.goto(address + "No%3Cb%3Ete?limit=5")
    page.keyboard.press("/")
    page.keyboard.type("number > 2")
    if page.input_value("#where") != "number > 2":
        fail("the key / does not lead to the condition, or letters are keys in a field")
    page.goto(address + "No%3Cb%3Ete?limit=5")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/2")
    page.keyboard.press("Backspace")
    page.wait_for_url("**limit=5")
    page.keyboard.press("]")
    page.wait_for_url("**after=**")


def complete(browser, address):
    """What follows in a condition, by keys alone, and the place of an error."""
    axe = Axe()
    page = browser.new_page(viewport={"width": 400, "height": 800})
    watch = Watch(page, address)
    page.goto(address + "No%3Cb%3Ete?where=numbr")
    page.keyboard.press("/")
    page.keyboard.press("Control+a")
    page.keyboard.type("nu")
    page.wait_for_selector("#complete li")
    watch.wrong = [line for line in watch.wrong if "Failed to load resource" not in line]
    field = page.locator("#where")
    if page.inner_text("#complete li b") != "number" or field.get_attribute("aria-activedescendant") != "complete0":
        fail("the name is not completed")
    found = axe.run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
    if found.violations_count:
        fail(f"the list of words: {found.generate_report()}")
    page.keyboard.press("Tab")
    page.keyboard.type(" ")
    page.wait_for_selector("#complete li")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    if field.input_value() != "number !=" or page.evaluate("document.activeElement.id") != "where":
        fail(f"the second word is not taken: {field.input_value()}")
    page.keyboard.type(" ")
    page.wait_for_selector("#complete li")
    page.keyboard.press("Escape")
    if page.locator("#complete").is_visible():
        fail("Esc does not close the words")
    page.keyboard.type("3 && numbr > 1")
    page.wait_for_selector("#typed:has-text('did you mean number?')")
    if page.inner_text(".place:visible mark") != "numbr":
        fail("the error has no place")
    page.keyboard.press("Control+a")
    page.keyboard.type("number > 1")
    page.wait_for_selector("#typed", state="hidden")
    if field.get_attribute("aria-invalid"):
        fail("the error stays where none is")
    # Without words a tabulator leads to the next field.
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.id") != "order":
        fail("the keyboard does not leave the condition")
    watch.check("completion")
    page.close()


def hear_of_changes(browser, store):
    page = browser.new_page()
    page.goto(store.address + "No%3Cb%3Ete?where=number+%3C+2")
    page.fill("#where", "half a cond")
    store.run("store", "set", "data", "No<b>te", "1", "text='new'")
    page.wait_for_selector("text=1 of these rows changed", timeout=10_000)
    if page.input_value("#where") != "half a cond":
        fail("a change took what was typed")
    store.run("store", "set", "data", "No<b>te", "1", "text='newer'")
    page.wait_for_selector("text=more may have changed since", timeout=10_000)
    page.click("text=show them")
    page.wait_for_selector("tr.changed", timeout=10_000)
    if "newer" not in page.inner_text("tr.changed"):
        fail("the changed row is not marked")


def live(browser, store):
    """Rows that change by themselves, but not while somebody types."""
    page = browser.new_page()
    watch = Watch(page, store.address)
    page.goto(store.address + "No%3Cb%3Ete?where=number+%3C+2")
    store.run("store", "set", "data", "No<b>te", "1", "text='once'")
    page.click("text=always", timeout=10_000)
    page.wait_for_url("**live=1**")
    store.run("store", "set", "data", "No<b>te", "1", "text='twice'")
    page.wait_for_selector("tr.changed:has-text('twice')", timeout=10_000)
    page.focus("#where")
    store.run("store", "set", "data", "No<b>te", "1", "text='thrice'")
    page.wait_for_selector("text=1 of these rows changed", timeout=10_000)
    if "thrice" in page.inner_text("#rows"):
        fail("rows change under the hands of who types")
    page.click("text=stop")
    page.wait_for_url(lambda url: "live" not in url)
    watch.check("live changes")
    page.close()


def rows_while_typing(browser, address):
    """Rows of a condition as soon as it can be read, with their address; those of the last one while it cannot."""
    page = browser.new_page()
    watch = Watch(page, address)
    page.goto(address + "No%3Cb%3Ete?order-by=number+desc")
    page.fill("#where", "number == 3")
    page.wait_for_url("**where=number+%3D%3D+3**")
    if page.locator(".data tbody tr").count() != 1 or page.evaluate("document.activeElement.id") != "where":
        fail("the rows are not those of the condition that is typed")
    if "number == 3" not in page.text_content(".tools pre.command"):
        fail("the command is not the one of the rows")
    page.fill("#where", "number == ")
    page.wait_for_selector("#typed:visible")
    if page.locator(".data tbody tr").count() != 1:
        fail("an error takes the rows away")
    watch.check("typing")
    page.reload()
    if page.input_value("#where") != "number == 3":
        fail("the address is not the one of the rows")
    page.close()


def model_pages(browser, address):
    """The place of the store in the history, and the way from a step to its objects."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(address)

    def open_page(name):
        page.click(f"#nav >> text={name}")
        # On a busy machine git may take longer than the page waits.
        if page.locator("text=Git has not ended yet").count():
            page.click("text=continue")

    open_page("History")
    if "this store" not in page.inner_text("tr.here") or page.locator(".rail tbody tr").count() != 3:
        fail("the history has no place of the store")
    open_page("Change to come")
    if "Blocked" not in page.inner_text(".note.red"):
        fail("the change is not blocked")
    page.click(".steps details[open] >> text=the objects")
    if page.locator(".data tbody tr").count() != 50:
        fail("a step does not lead to its objects")


def other_sites(browser, address):
    page = browser.new_page()
    page.goto("data:text/html,<title>other</title>")
    answer = page.evaluate("address => fetch(address).then(() => 'read', () => 'refused')", address)
    if answer != "refused":
        fail("a page of another site reads the store")
    page.set_content(f"<iframe src='{address}'></iframe>")
    page.wait_for_timeout(500)
    if any("Overview" in (frame.title() or "") for frame in page.frames[1:]):
        fail("a page of another site shows the store in a frame")


def main():
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        store = Store(str(Path(sys.argv[1]).resolve()), Path(directory))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            look_at_screens(browser, store.address)
            use_without_script(browser, store.address)
            use_keys(browser, store.address)
            complete(browser, store.address)
            hear_of_changes(browser, store)
            live(browser, store)
            rows_while_typing(browser, store.address)
            model_pages(browser, store.address)
            other_sites(browser, store.address)
        finally:
            browser.close()
        store.end()


main()
