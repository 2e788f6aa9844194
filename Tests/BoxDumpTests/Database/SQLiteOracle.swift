import TestSupport

/// Databases as SQLite of Python reads them, compared with dumps of the same stores.
enum SQLiteOracle {
  /// Whether there is Python with an SQLite that knows strict tables.
  static func isThere() async -> Bool {
    let script = "import sqlite3; assert sqlite3.sqlite_version_info >= (3, 37)"
    let run = try? await ProcessRun.of("python3", ["-c", script])
    return run?.status == 0
  }

  /// Compares databases with dumps.
  ///
  /// - Parameters:
  ///   - count: The number of the databases `0.db`, `1.db` and so on; the dumps are `0`, `1` and so
  ///     on, and those with ISO dates `0.iso` and so on.
  ///   - directory: The directory of the files.
  /// - Returns: The run; its output is the number of compared cells.
  /// - Throws: `TestFailure` if Python cannot be started.
  static func compare(_ count: Int, in directory: TemporaryDirectory) async throws -> ProcessRun {
    try await ProcessRun.of("python3", ["-c", script, "\(count)"], in: directory.path)
  }

  private static let script = #"""
    import base64, decimal, json, math, sqlite3, struct, sys

    CELLS = 0
    # The types of the model format that are not compared as they are.
    CHAR, FLOAT, DOUBLE, BYTES, FLOATS = 4, 7, 8, (13, 23), 28
    DATES, DATE_VECTORS = (10, 12), (31, 32)

    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    def bits(value, code, size):
        """The bits of a number as a dump writes it."""
        if value == "NaN":
            return (0x7FC00000, 0x7FF8000000000000)[size == 8]
        if isinstance(value, str) and value.startswith("NaN:"):
            return int(value[4:], 16)
        number = {"Infinity": float("inf"), "-Infinity": float("-inf")}.get(value)
        number = float(value) if number is None else number
        return struct.unpack("<I" if size == 4 else "<Q", struct.pack(code, number))[0]

    def stored(value, kind, vectors, exact):
        """The cell for a value of a dump; calls `exact` with what the cell cannot hold."""
        if value is None:
            return None
        if kind in (FLOAT, DOUBLE):
            code, size = ("<f", 4) if kind == FLOAT else ("<d", 8)
            number = bits(value, code, size)
            result = struct.unpack(code, struct.pack("<I" if size == 4 else "<Q", number))[0]
            if result != result or (result == 0 and number):
                exact("%0*x" % (2 * size, number))
            return None if result != result else result
        if kind == CHAR:
            return ord(value) if isinstance(value, str) else value
        if kind in BYTES:
            return base64.b64decode(value)
        if kind == FLOATS and vectors == "blob":
            return b"".join(struct.pack("<I", bits(v, "<f", 4)) for v in value)
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, int) and value >= 2 ** 63:
            exact("%016x" % value)
            return value - 2 ** 64
        return value

    def shown(value, kind):
        """The cell of a view for a value of a dump with ISO dates; None where the table tells."""
        if kind in DATES or kind == CHAR:
            return value if not isinstance(value, int) or value < 2 ** 63 else str(value)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 2 ** 63:
            return str(value)
        return stored(value, kind, "blob", lambda bits: None)

    def digits(number):
        """How many digits a number has as people write it."""
        return len(decimal.Decimal(repr(number)).normalize().as_tuple().digits)

    def is_shown(look, word, kind):
        """Whether the cell of a view is a value of a dump with ISO dates."""
        want = shown(word, kind)
        if kind != FLOAT or want is None or math.isinf(want):
            return look == want and type(look) == type(want)
        # SQLite may miss the last bit of a decimal that it reads, and where two are as near it may take the other.
        number = float("%.15g" % look)
        return number == word or (
            bits(number, "<f", 4) == bits(word, "<f", 4) and digits(number) == digits(word))

    def rows(directory, manifest, kind):
        for file in manifest["files"]:
            if kind in file:
                with open(directory + "/" + file["file"], "rb") as lines:
                    yield file, [json.loads(line) for line in lines.read().split(b"\n") if line]

    def require(condition, *what):
        if not condition:
            sys.exit("database %s: %s" % (NUMBER, " ".join(map(repr, what))))

    def compare(number):
        global CELLS, NUMBER
        NUMBER = number
        manifest = json.load(open("%d/manifest.json" % number))
        database = sqlite3.connect("%d.db" % number)
        require(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity")
        own = dict(zip(("model", "options"), database.execute(
            "SELECT model, options FROM boxjoint_model").fetchone()))
        model = manifest["boxjoint"]["model"]
        require(json.loads(own["model"]) == model, "model")
        vectors = open("%d.vectors" % number).read()
        names = {(kind, entity, member): name for kind, entity, member, name
                 in database.execute("SELECT * FROM boxjoint_names")}
        named = {(kind, name) for kind, _, _, name in database.execute("SELECT * FROM boxjoint_names")}
        properties = {e["name"]: {p["name"]: p for p in e["properties"]} for e in model["entities"]}
        expected, found, dangling, ids, ends = set(), set(), 0, {}, set()
        entities = list(rows(str(number), manifest, "entity"))
        for file, objects in entities:
            ids[file["entity"]] = {o[next(n for n, p in properties[file["entity"]].items()
                                          if p.get("flags", 0) & 1)] for o in objects}
        iso = {f["entity"]: o for f, o in rows("%d.iso" % number,
               json.load(open("%d.iso/manifest.json" % number)), "entity")}
        for file, objects in entities:
            entity = file["entity"]
            table = names.get(("entity", entity, None), entity)
            view = names.get(("view", entity, None), entity + "_view")
            ends.add(("entity", entity, len(objects), file["lastId"]))
            columns = [row[1] for row in database.execute("PRAGMA table_info(%s)" % quoted(table))]
            # Datasette does not show a table with a reference to no column.
            for _, _, target, _, column, *_ in database.execute("PRAGMA foreign_key_list(%s)" % quoted(table)):
                keys = database.execute("SELECT name FROM pragma_table_info(?) WHERE pk", (target,))
                require([(column,)] == keys.fetchall(), "reference", entity, target, column)
            members = list(objects[0]) if objects else columns
            if objects:
                require(columns == [names.get(("property", entity, m), m) for m in members], "columns", entity)
            cells = database.execute("SELECT * FROM %s" % quoted(table)).fetchall()
            views = database.execute("SELECT * FROM %s" % quoted(view)).fetchall()
            require(len(cells) == len(objects) == len(views), "rows", entity)
            for row, seen, value, word in zip(cells, views, objects, iso[entity]):
                identity = value[next(n for n, p in properties[entity].items() if p.get("flags", 0) & 1)]
                for cell, look, name in zip(row, seen, members):
                    CELLS += 1
                    prop = properties[entity][name]
                    kind = prop["type"]
                    if kind > 21 and kind not in BYTES and not (kind == FLOATS and vectors == "blob"):
                        require((cell is None) == (value[name] is None), entity, name)
                        if cell is not None:
                            require(json.loads(cell) == value[name], entity, name, cell, value[name])
                            if kind in DATE_VECTORS:
                                require(json.loads(look) == word[name], entity, name, look, word[name])
                        continue
                    want = stored(value[name], kind, vectors,
                                  lambda bits: expected.add((entity, identity, name, bits)))
                    require(cell == want and type(cell) == type(want), entity, identity, name, cell, want)
                    require(is_shown(look, word[name], kind), entity, identity, name, look, word[name])
                    if kind == 11 and cell is not None and prop["relationTarget"] in ids:
                        dangling += cell not in ids[prop["relationTarget"]]
        for file, entries in rows(str(number), manifest, "relation"):
            name = file["relation"]
            pairs = [(e["source"], t) for e in entries for t in e["targets"]]
            ends.add(("relation", name, len(pairs), None))
            candidates = [n for (k, e, m), n in names.items() if k == "relation" and "%s.%s" % (e, m) == name]
            table = candidates[0] if candidates else name
            got = database.execute("SELECT source, target FROM %s ORDER BY source, target" % quoted(table))
            require(got.fetchall() == sorted(pairs), name)
        require(set(database.execute("SELECT * FROM boxjoint_end").fetchall()) == ends, "ends", ends)
        found = set(database.execute("SELECT * FROM boxjoint_exact").fetchall())
        require(found == expected, "exact", found ^ expected)
        require(len(database.execute("PRAGMA foreign_key_check").fetchall()) == dangling, "dangling")
        for entity in model["entities"]:
            if entity["name"] not in ids:
                continue
            for name, prop in properties[entity["name"]].items():
                if prop.get("flags", 0) & (8 | 2048 | 4096) and not prop.get("flags", 0) & 1:
                    index = database.execute(
                        "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = ?",
                        (names.get(("entity", entity["name"], None), entity["name"]),)).fetchone()
                    require(index[0] > 0, "index", entity["name"], name)

    for number in range(int(sys.argv[1])):
        compare(number)
    print(CELLS)
    """#
}
