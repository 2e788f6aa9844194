"""Makes the packages of a program that was built; scripts/package calls it."""

import argparse
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

import elf
import licences
import linked
import packages
import sbom

SHELLS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}


def run(*arguments):
    # The names of months are those of a language.
    environment = {**os.environ, "TZ": "UTC", "LC_ALL": "C", "LANG": "C"}
    return subprocess.run(
        arguments, check=True, stdout=subprocess.PIPE, env=environment).stdout


def completions(binary, name):
    result = {}
    for shell, place in SHELLS.items():
        ask = (
            ["completions", shell] if name == "boxjoint" else ["--generate-completion-script", shell])
        script = run(binary, *ask)
        result[place.format(name)] = script if script.endswith(b"\n") else script + b"\n"
    return result


def manual(binary, generator, date):
    """The manual pages, one for each command."""
    with tempfile.TemporaryDirectory() as directory:
        day = time.strftime("%Y-%m-%d", time.gmtime(date))
        run(generator, binary, "--multi-page", "--date", day, "--output-directory", directory)
        pages = sorted(pathlib.Path(directory).iterdir())
        # A line that begins with a quote is a macro; the generator leaves such lines of a text as they are.
        return {
            f"man/man1/{page.name}": re.sub(rb"(?m)^'", rb"\\&'", page.read_bytes())
            for page in pages}


def made(name, arguments):
    """The program with its packages' files, and its list of components."""
    binary = pathlib.Path(arguments.programs, name)
    content, symbols, build_id = elf.split(binary, arguments.objcopy)
    if found := elf.machine_paths(content, [str(pathlib.Path.cwd()).encode()]):
        sys.exit("package: the program has paths of this machine:\n  " + "\n  ".join(found[:20]))
    parts = linked.components(f"{binary}.map", arguments.checkouts)
    texts = licences.text(
        name, arguments.version, pathlib.Path("LICENSE").read_text(), parts,
        linked.common_texts(parts))
    content = licences.appended(content, texts)
    shared = {
        **completions(binary, name), **manual(binary, arguments.manual, arguments.date)}
    program = packages.Program(
        name, arguments.version, platform.machine(), arguments.date, content, symbols, build_id,
        texts, shared)
    listing = sbom.document(name, arguments.version, content, parts, arguments.date)
    return program, listing


def main():
    parser = argparse.ArgumentParser()
    for option in ["programs", "checkouts", "manual", "objcopy", "version", "output"]:
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--date", type=int, required=True)
    parser.add_argument("names", nargs="+")
    arguments = parser.parse_args()
    output = pathlib.Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    files = {}
    for name in arguments.names:
        program, listing = made(name, arguments)
        files.update(make(program) for make in packages.ALL)
        files[f"{name}-{program.version}-linux-{program.machine}.spdx.json"] = listing.encode()
    sums = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    for name, content in [*sorted(files.items()), ("SHA256SUMS", sums.encode())]:
        (output / name).write_bytes(content)
        print(f"{len(content):>12,}  {name}")


main()
