"""The text that goes with each copy of a program: what is linked into it, and under which licences."""

MARK = b" bytes of licences\n"
RULE = "=" * 80


def text(program, version, own, components, common):
    width = max(len(c.name) for c in components)
    length = max(len(c.version) for c in components)
    table = "\n".join(
        f"  {c.name:<{width}}  {c.version:<{length}}  {c.licence}" for c in components)
    parts = [f"""\
{program} {version} is licensed under the Apache License 2.0. These libraries are linked into it, as they
are in the packages of Debian and of Swift:

{table}

Some of them are under the GNU Lesser General Public License, which lets you link the program with
another version of the library. The sources of BoxJoint {version} have all that it takes: install the
other version with its headers and its archive (lib….a), and run scripts/build in the sources, or
scripts/build --product boxjoint-generate. The sources of the libraries are those of the named versions
of Debian's source packages.
""", heading("BoxJoint", own)]
    parts += [heading(f"{c.name} {c.version}", c.text) for c in components]
    parts += [heading(name, body) for name, body in common.items()]
    return "\n".join(parts)


def heading(name, body):
    return f"{RULE}\n{name}\n{RULE}\n\n{body.strip()}\n"


def appended(program, licences):
    """A program with its licences at the end, where --licenses finds them."""
    texts = licences.encode()
    return program + texts + b"%010d" % len(texts) + MARK
