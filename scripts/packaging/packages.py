"""The packages of one program: each is a name and its bytes."""

import base64
import dataclasses
import hashlib
import json

import archives
from archives import Entry

SUMMARIES = {
    "boxjoint": "Merge, check and migrate the model files of object databases",
    "boxjoint-generate": "Write the model file and the bindings of annotated Swift types",
}
DESCRIPTIONS = {
    "boxjoint": """\
BoxJoint merges the model file of an ObjectBox project by UID, in git and by hand. It checks
model files, plans and carries out changes of a model, and queries, exports and imports the data
of its own stores. It is compatible with ObjectBox's model files and not affiliated with ObjectBox.
""",
    "boxjoint-generate": """\
The generator of BoxJoint reads annotated Swift types, and writes the model file and the code
with which BoxStore keeps the types in a database.
""",
}
# By the machine: the names of Debian, and the oldest systems of Python's wheels. The program is
# static, so that the second C library and any version of the first will do.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}
MAINTAINER = "BoxJoint <boxjoint@example.invalid>"


@dataclasses.dataclass
class Program:
    """A program with everything that goes into its packages."""

    name: str
    version: str
    machine: str
    date: int
    content: bytes
    symbols: bytes
    build_id: str
    licences: str
    # The files of share/, by their paths there: manual pages, completions.
    shared: dict

    def tree(self):
        """The files of an installation below /usr or /usr/local."""
        documents = {f"doc/{self.name}/licences.txt": self.licences.encode()}
        files = {**self.shared, **documents}
        return [archives.program(f"bin/{self.name}", self.content)] + [
            Entry(f"share/{path}", content) for path, content in files.items()
        ]


def archive(p):
    name = f"{p.name}-{p.version}-linux-{p.machine}"
    return f"{name}.tar.gz", archives.gz(archives.tar(p.tree(), p.date, f"{name}/"))


def small_archive(p):
    """The same files, a quarter smaller, for where there is xz."""
    name = f"{p.name}-{p.version}-linux-{p.machine}"
    return f"{name}.tar.xz", archives.xz(archives.tar(p.tree(), p.date, f"{name}/"))


def symbols(p):
    path = f"lib/debug/.build-id/{p.build_id[:2]}/{p.build_id[2:]}.debug"
    content = archives.tar([Entry(path, p.symbols)], p.date)
    return f"{p.name}-{p.version}-linux-{p.machine}-debug.tar.gz", archives.gz(content)


def debian(p):
    machine = DEBIAN[p.machine]
    files = []
    for entry in p.tree():
        path, content = f"usr/{entry.path}", entry.content
        if "/man/" in path:
            path, content = path + ".gz", archives.gz(content)
        path = path.replace("/licences.txt", "/copyright")
        path = path.replace("/site-functions/", "/vendor-completions/")
        files.append(Entry(path, content, entry.mode))
    control = "\n".join([
        f"Package: {p.name}", f"Version: {p.version}", f"Architecture: {machine}",
        f"Maintainer: {MAINTAINER}", "Section: devel", "Priority: optional",
        f"Installed-Size: {sum(len(f.content) for f in files) // 1024 + 1}",
        *(["Recommends: git"] if p.name == "boxjoint" else []),
        f"Description: {SUMMARIES[p.name]}",
        *(" " + line for line in DESCRIPTIONS[p.name].splitlines()), ""])
    sums = "".join(
        f"{hashlib.md5(f.content).hexdigest()}  {f.path}\n" for f in sorted(files))
    meta = [Entry("control", control.encode()), Entry("md5sums", sums.encode())]
    members = [
        ("debian-binary", b"2.0\n"),
        ("control.tar.xz", archives.xz(archives.tar(meta, p.date))),
        ("data.tar.xz", archives.xz(archives.tar(files, p.date))),
    ]
    return f"{p.name}_{p.version}_{machine}.deb", archives.ar(members, p.date)


def wheel(p):
    """A wheel with the program and no Python, which `pip` puts into the `bin` of an environment."""
    systems = [f"manylinux_2_17_{p.machine}", f"musllinux_1_1_{p.machine}"]
    name = p.name.replace("-", "_")
    information = f"{name}-{p.version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: {p.name}\nVersion: {p.version}\nSummary: {SUMMARIES[p.name]}\n"
        "License: Apache-2.0\nLicense-File: licences.txt\nRequires-Python: >=3.7\n"
        "Description-Content-Type: text/plain\n\n" + DESCRIPTIONS[p.name])
    tags = "".join(f"Tag: py3-none-{system}\n" for system in systems)
    entries = [
        archives.program(f"{name}-{p.version}.data/scripts/{p.name}", p.content),
        Entry(f"{information}/METADATA", metadata.encode()),
        Entry(
            f"{information}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: boxjoint\nRoot-Is-Purelib: false\n{tags}".encode()),
        Entry(f"{information}/licences.txt", p.licences.encode()),
    ]
    record = "".join(f"{e.path},sha256={digest(e.content)},{len(e.content)}\n" for e in entries)
    path = f"{information}/RECORD"
    entries.append(Entry(path, f"{record}{path},,\n".encode()))
    return (
        f"{name}-{p.version}-py3-none-{'.'.join(systems)}.whl", archives.zipped(entries, p.date))


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def bundle(p):
    """An artifact bundle, which the package manager takes as a binary target."""
    root = f"{p.name}.artifactbundle"
    path = f"{p.name}-{p.version}-linux-{p.machine}/bin/{p.name}"
    information = {
        "schemaVersion": "1.0",
        "artifacts": {
            p.name: {
                "version": p.version,
                "type": "executable",
                "variants": [
                    {"path": path, "supportedTriples": [f"{p.machine}-unknown-linux-gnu"]}
                ],
            }
        },
    }
    entries = [
        Entry(f"{root}/info.json", (json.dumps(information, indent=2) + "\n").encode()),
        archives.program(f"{root}/{path}", p.content),
        Entry(f"{root}/licences.txt", p.licences.encode()),
    ]
    return f"{p.name}-{p.version}.artifactbundle.zip", archives.zipped(entries, p.date)


ALL = [archive, small_archive, symbols, debian, wheel, bundle]
