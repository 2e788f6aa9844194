"""A hosting site for tests, over loopback: requests, comments and states by the APIs of GitHub and GitLab.

usage: fake_site.py DIR

Writes its port to DIR/port. Branches are those of the bare repository DIR/origin.git. A test sets what the
site has by POST /_control, and reads all that was written by GET /_control. It ends after two minutes without
a request, or when DIR is gone.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIRECTORY = sys.argv[1]
LOCK = threading.RLock()
STATE = {
    "token": "secret",  # the token that is accepted
    "user": "robot",  # None for the token of a job, which may not ask
    "requests": [],  # number, source, target, fork, open
    "comments": [],  # id, request, author, body
    "statuses": [],
    "faults": [],  # match, times, status, headers, body, delay, close, run
    "log": [],
    "page_limit": 100,  # the longest page
    "next": 1000,
}
NEXT = threading.local()  # the headers of a list
USERS = {"robot": 7, "stranger": 8}


def commit(reference):
    run = subprocess.run(
        ["git", "--git-dir", os.path.join(DIRECTORY, "origin.git"), "rev-parse", "--verify", "-q", reference],
        capture_output=True, text=True, check=False)
    return run.stdout.strip() or "0" * 40


def head(request):
    number, prefix = request["number"], request.get("references", "refs/pull")
    return commit(f"{prefix}/{number}/head" if request.get("fork") else f"refs/heads/{request['source']}")


def github_request(request):
    home = {"full_name": "owner/app"}
    fork = None if request.get("fork") == "gone" else {"full_name": "stranger/app"}
    return {
        "number": request["number"], "state": "open" if request.get("open", True) else "closed",
        "head": {"ref": request["source"], "sha": head(request), "repo": fork if request.get("fork") else home},
        "base": {"ref": request["target"], "repo": home},
    }


def gitlab_request(request):
    return {
        "iid": request["number"], "state": "opened" if request.get("open", True) else "merged",
        "source_branch": request["source"], "target_branch": request["target"], "sha": head(request),
        "source_project_id": 2 if request.get("fork") else 1, "target_project_id": 1,
    }


def github_comment(comment):
    author = comment["author"]
    return {"id": comment["id"], "body": comment["body"],
            "user": {"login": author, "type": "Bot" if author == "robot" else "User"}}


def gitlab_comment(comment):
    author = comment["author"]
    return {"id": comment["id"], "body": comment["body"], "author": {"id": USERS[author], "username": author}}


def add_comment(number, body):
    STATE["next"] += 1
    comment = {"id": STATE["next"], "request": number, "author": STATE["user"] or "robot", "body": body}
    STATE["comments"].append(comment)
    return comment


def page(items, query):
    size, number = min(int(query.get("per_page", 30)), STATE["page_limit"]), int(query.get("page", 1))
    more = number * size < len(items)
    NEXT.headers = {"X-Next-Page": str(number + 1) if more else ""}
    if more:
        NEXT.headers["Link"] = f'<https://site.example/?page={number + 1}>; rel="next"'
    return items[(number - 1) * size:number * size]


def api(method, path, query, body):
    """The status and the value of an answer."""
    is_github = not path.startswith("/api/v4")
    show_request = github_request if is_github else gitlab_request
    show_comment = github_comment if is_github else gitlab_comment
    if path in ("/user", "/api/v4/user"):
        if STATE["user"] is None:
            return 403, {"message": "Resource not accessible by integration"}
        return 200, {"login": STATE["user"], "id": USERS[STATE["user"]]}
    root = "/repos/owner/app" if is_github else "/api/v4/projects/1"
    if not path.startswith(root + "/"):
        return 404, {"message": "Not Found"}
    path = path[len(root):]
    listing = re.fullmatch("/pulls|/merge_requests", path)
    if listing and method == "GET":
        wanted = [r for r in STATE["requests"] if r.get("open", True)]
        target = query.get("base") or query.get("target_branch")
        source = query.get("source_branch")
        wanted = [r for r in wanted if target in (None, r["target"]) and source in (None, r["source"])]
        return 200, page([show_request(r) for r in wanted], query)
    one = re.fullmatch(r"/(?:pulls|merge_requests)/(\d+)", path)
    if one and method == "GET":
        found = [r for r in STATE["requests"] if r["number"] == int(one[1])]
        return (200, show_request(found[0])) if found else (404, {"message": "Not Found"})
    comments = re.fullmatch(r"/(?:issues/(\d+)/comments|merge_requests/(\d+)/notes)", path)
    if comments:
        number = int(comments[1] or comments[2])
        if method == "POST":
            return 201, show_comment(add_comment(number, body["body"]))
        return 200, page([show_comment(c) for c in STATE["comments"] if c["request"] == number], query)
    comment = re.fullmatch(r"/(?:issues/comments|merge_requests/\d+/notes)/(\d+)", path)
    if comment:
        found = [c for c in STATE["comments"] if c["id"] == int(comment[1])]
        if not found:
            return 404, {"message": "Not Found"}
        if method in ("PATCH", "PUT"):
            found[0]["body"] = body["body"]
            return 200, show_comment(found[0])
        if method == "DELETE":
            STATE["comments"].remove(found[0])
            return 204, None
    status = re.fullmatch(r"/statuses/([0-9a-f]{40})", path)
    if status and method == "POST":
        STATE["statuses"].append({"commit": status[1], **body})
        return 201, {}
    return 404, {"message": "Not Found"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value, headers=None):
        data = b"" if value is None else value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def fault(self, line):
        for fault in STATE["faults"]:
            if fault.get("times", 1) > 0 and re.search(fault["match"], line):
                fault["times"] = fault.get("times", 1) - 1
                return fault
        return None

    def handle_any(self):
        self.server.last = time.monotonic()
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length).decode()
        parts = urllib.parse.urlsplit(self.path)
        if parts.path == "/_control":
            with LOCK:
                if self.command == "POST":
                    STATE.update(json.loads(text))
                return self.answer(200, STATE)
        with LOCK:
            STATE["log"].append({
                "line": f"{self.command} {self.path}", "body": text,
                "authorization": ", ".join(self.headers.get_all("Authorization") or []),
            })
            fault = self.fault(f"{self.command} {self.path}")
        if fault:
            if fault.get("run"):
                subprocess.run(["sh", "-c", fault["run"]], cwd=DIRECTORY, check=True)
            time.sleep(fault.get("delay", 0))
            if fault.get("close"):
                self.close_connection = True
                return None
            if "status" in fault:
                return self.answer(fault["status"], fault.get("body", {"message": "fault"}), fault.get("headers"))
        given = self.headers.get("Authorization", "").removeprefix("Bearer ") or self.headers.get("PRIVATE-TOKEN")
        if given != STATE["token"]:
            return self.answer(401, {"message": "Bad credentials"})
        query = dict(urllib.parse.parse_qsl(parts.query))
        with LOCK:
            NEXT.headers = {}
            status, value = api(
                self.command, urllib.parse.unquote(parts.path), query, json.loads(text) if text else None)
        # Each site has a header of its own for the next page.
        unknown = "Link" if parts.path.startswith("/api/v4") else "X-Next-Page"
        return self.answer(status, value, {n: v for n, v in NEXT.headers.items() if n != unknown})

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.last = time.monotonic()

    def watch():
        while time.monotonic() - server.last < 1800 and os.path.isdir(DIRECTORY):
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    path = os.path.join(DIRECTORY, "port")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(str(server.server_address[1]))
    os.rename(path + ".new", path)
    server.serve_forever()


main()
