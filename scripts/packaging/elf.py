"""A program without its debug symbols, and the symbols as a file that a debugger finds by build id."""

import hashlib
import pathlib
import subprocess
import tempfile

# A note of the owner GNU with 20 bytes, of the type of build ids.
NOTE = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"


def split(path, objcopy):
    """Returns the stripped program, the symbols and the build id, which is one of the content.

    The linker computes its build id with the symbols. This one says that two programs are equal.
    """
    with tempfile.TemporaryDirectory() as directory:
        stripped = pathlib.Path(directory, "stripped")
        symbols = pathlib.Path(directory, "symbols")
        subprocess.run([objcopy, "--strip-all", path, stripped], check=True)
        subprocess.run([objcopy, "--only-keep-debug", path, symbols], check=True)
        program = replaced(stripped.read_bytes(), b"\0" * 20)
        build_id = hashlib.sha1(program).digest()
        return (
            replaced(program, build_id),
            replaced(symbols.read_bytes(), build_id),
            build_id.hex(),
        )


def replaced(content, build_id):
    place = content.find(NOTE)
    if place < 0 or content.find(NOTE, place + 1) >= 0:
        raise SystemExit("package: the program has no build id, or several notes like one")
    place += len(NOTE)
    return content[:place] + build_id + content[place + 20 :]


def machine_paths(content, roots):
    """The strings of a program that name a directory of the machine on which it was built."""
    found = set()
    for root in roots:
        place = content.find(root)
        while place >= 0:
            end = content.find(b"\0", place)
            found.add(content[place : min(end, place + 200)].decode(errors="replace"))
            place = content.find(root, place + 1)
    return sorted(found)
