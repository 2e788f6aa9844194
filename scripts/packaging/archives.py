"""Archives with the same bytes for the same files: sorted, one date, one owner."""

import dataclasses
import gzip
import io
import lzma
import pathlib
import tarfile
import time
import zipfile


@dataclasses.dataclass(frozen=True, order=True)
class Entry:
    """A file of an archive."""

    path: str
    content: bytes = dataclasses.field(compare=False)
    mode: int = dataclasses.field(default=0o644, compare=False)


def program(path, content):
    return Entry(path, content, 0o755)


def tar(entries, date, prefix=""):
    """An uncompressed archive, in which directories come before their files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        seen = set()
        for entry in sorted(entries):
            path = prefix + entry.path
            for parent in reversed(pathlib.PurePosixPath(path).parents):
                name = str(parent)
                if name != "." and name not in seen:
                    seen.add(name)
                    add(archive, name, None, 0o755, date)
            add(archive, path, entry.content, entry.mode, date)
    return buffer.getvalue()


def add(archive, name, content, mode, date):
    info = tarfile.TarInfo(name)
    info.mode, info.mtime, info.uname, info.gname = mode, date, "root", "root"
    if content is None:
        info.type = tarfile.DIRTYPE
        archive.addfile(info)
    else:
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))


def gz(content):
    """Without a name and a date."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def xz(content):
    return lzma.compress(content, preset=6)


def zipped(entries, date):
    """A zip archive, in the given order: a reader of a wheel expects its record last."""
    buffer = io.BytesIO()
    # Its dates begin in 1980, and have two seconds each.
    moment = time.gmtime(max(date, 315532800))[:6]
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry in entries:
            info = zipfile.ZipInfo(entry.path, moment)
            info.create_system = 3
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.content, compresslevel=9)
    return buffer.getvalue()


def ar(members, date):
    """An archive of `ar`, the container of a Debian package, of pairs of a name and a content."""
    result = b"!<arch>\n"
    for name, content in members:
        head = f"{name:<16}{date:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        result += head.encode() + content + b"\n" * (len(content) % 2)
    return result
