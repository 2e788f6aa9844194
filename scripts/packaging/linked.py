"""The components that a linker put into a program, from its map, with versions and licences."""

import dataclasses
import json
import pathlib
import re
import subprocess

COMMON = pathlib.Path("/usr/share/common-licenses")
# What the programs of a release may contain of other packages of Swift.
DEPENDENCIES = pathlib.Path(__file__).parent / "dependencies"

# The licences of the C libraries by the names of Debian's packages. One that is missing here is an
# error: a new library has to be looked at before it is given to others.
DEBIAN = {
    r"libc6-dev": "LGPL-2.1-or-later",
    r"libgcc-\d+-dev|libstdc\+\+-\d+-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    r"libjson-c-dev": "MIT",
    r"libyaml-dev": "MIT",
    r"liblmdb-dev": "OLDAP-2.8",
    r"zlib1g-dev": "Zlib",
    r"libzstd-dev": "BSD-3-Clause OR GPL-2.0-only",
    r"nettle-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    r"libsqlite3-dev": "blessing",
    r"libedit-dev": "BSD-3-Clause",
    r"libbsd-dev": "BSD-3-Clause AND BSD-2-Clause AND ISC AND MIT",
    r"libmd-dev": "BSD-3-Clause AND BSD-2-Clause AND ISC AND Beerware",
    r"libncurses-dev|libtinfo-dev": "X11-distribute-modifications-variant",
}
SWIFT = "Apache-2.0 WITH Swift-exception"


@dataclasses.dataclass(frozen=True, order=True)
class Component:
    name: str
    version: str
    licence: str
    origin: str
    text: str = dataclasses.field(compare=False, repr=False)


def components(link_map, checkouts):
    """The components of a program, without itself."""
    text = pathlib.Path(link_map).read_text(errors="replace")
    archives = set(re.findall(r"(/[^\s(]+\.a)\(", text))
    objects = set(re.findall(r"(/[^\s(]+\.o)\b", text))
    modules = set(re.findall(r"/([A-Za-z_]+)\.build/[^\s(]+\.o\b", text))
    toolchain = toolchain_root()
    found = set()
    system = set()
    for path in archives | {o for o in objects if not re.search(r"\.(build|product)/", o)}:
        path = str(pathlib.Path(path).resolve())
        if path.startswith(str(toolchain)):
            found.add(swift(toolchain))
        else:
            system.add(path)
    found |= {debian(package) for package in packages(system)}
    return sorted(found | set(swift_packages(modules, checkouts)))


def toolchain_root():
    info = subprocess.run(
        ["swift", "-print-target-info"], check=True, capture_output=True, text=True).stdout
    return pathlib.Path(json.loads(info)["paths"]["runtimeResourcePath"]).resolve().parents[2]


def swift(toolchain):
    version = subprocess.run(
        ["swift", "--version"], check=True, capture_output=True, text=True).stdout
    return Component(
        "swift", re.search(r"Swift version ([\d.]+)", version)[1], SWIFT, "https://www.swift.org",
        (toolchain / "usr/share/swift/LICENSE.txt").read_text())


def packages(paths):
    """The packages of Debian that own the files, each as its name and version."""
    if not paths:
        return set()
    names = set()
    for path in sorted(paths):
        # The package may own the file by a path without the link from /lib to /usr/lib.
        for candidate in {path, path.removeprefix("/usr")}:
            run = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
            if run.returncode == 0:
                names.add(run.stdout.split(":")[0])
                break
        else:
            raise SystemExit(f"package: '{path}' is linked, and belongs to no package of Debian")
    return names


def debian(package):
    licence = next((v for k, v in DEBIAN.items() if re.fullmatch(k, package)), None)
    if licence is None:
        raise SystemExit(
            f"package: '{package}' is linked; enter its licence in scripts/packaging/linked.py")
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package],
        check=True, capture_output=True, text=True).stdout
    text = pathlib.Path("/usr/share/doc", package, "copyright").read_text(errors="replace")
    return Component(
        package.removesuffix("-dev"), version, licence,
        f"Debian, the package {package}", text)


def swift_packages(modules, checkouts):
    """The packages of Swift that have one of the modules, in the versions of releases."""
    state = json.loads((pathlib.Path(checkouts).parent / "workspace-state.json").read_text())
    for dependency in state["object"]["dependencies"]:
        name = dependency["packageRef"]["name"]
        root = pathlib.Path(checkouts, dependency["subpath"])
        own = {p.name for p in (root / "Sources").glob("*")}
        if own & modules:
            checkout = dependency["state"].get("checkoutState", {})
            check_version(name, checkout)
            yield Component(
                name, checkout["version"], SWIFT,
                dependency["packageRef"]["location"], (root / "LICENSE.txt").read_text())


def check_version(name, checkout):
    """Ends the program unless a package has the version and the commit with which releases are built."""
    lines = [line.split() for line in DEPENDENCIES.read_text().splitlines() if not line.startswith("#")]
    wanted = {line[0]: line[1:] for line in lines}.get(name)
    if [checkout.get("version"), checkout.get("revision")] != wanted:
        raise SystemExit(
            f"package: '{name}' is linked from {checkout.get('version')} ({checkout.get('revision')}); "
            f"a release has {' '.join(wanted) if wanted else 'no such package'} (scripts/packaging/dependencies)")


def common_texts(components):
    """The texts of licences that the others refer to by their place in Debian, by their name."""
    names = set()
    for component in components:
        names |= set(re.findall(str(COMMON) + r"/([A-Za-z]+(?:-[0-9](?:\.[0-9])?)?)", component.text))
    # The licences of manuals and of Perl scripts, of which nothing is linked.
    names = {n for n in names if not n.startswith(("GFDL", "Artistic"))}
    paths = sorted({(COMMON / name).resolve() for name in names if (COMMON / name).exists()})
    return {path.name: path.read_text() for path in paths}
