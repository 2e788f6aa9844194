import BoxDump
import BoxEngine
import TestSupport
import Testing

/// The views for DuckDB have the values of the lines, with the types of the model.
struct DuckDBLawTests {
  @Test(.enabled("needs DuckDB for Python: pip install duckdb") { await Self.hasDuckDB() })
  func viewsHaveTheValuesOfTheLines() async throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let count = TestSeed.count("BOXJOINT_SOAK_DATABASES", default: 20)
    for number in 0..<count {
      let store = try GeneratedModel(&random).store(&random, objects: 12)
      defer { store.close() }
      var options = ExportOptions()
      options.shape = .directory
      options.schemas = SchemaReader.allCases
      options.integers = random.pick(IntegerForm.allCases)
      options.dates = random.pick(DateForm.allCases)
      options.compression = random.pick([.none, .gzip])
      try DumpExporter(store, options).export(
        to: DirectoryOutput(directory, "\(number)", isDirectory: true))
    }
    let run = try await ProcessRun.of(
      "python3", ["-c", Self.script, "\(count)"], in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(Int(run.text.dropLast()) ?? 0 > count)
  }

  private static func hasDuckDB() async -> Bool {
    let run = try? await ProcessRun.of("python3", ["-c", "import duckdb"])
    return run?.status == 0
  }

  private static let script = #"""
    import base64, datetime, gzip, json, math, os, struct, sys
    import duckdb

    CELLS = 0
    CHAR, FLOAT, DOUBLE, DATE, NANO, BYTES = 4, 7, 8, 10, 12, (13, 23)
    ELEMENTS = {22: 1, 24: 3, 25: 4, 26: 5, 27: 6, 28: 7, 29: 8, 30: 9, 31: 10, 32: 12}

    def number(value, kind):
        if isinstance(value, str):
            return math.nan if value.startswith("NaN") else float(value.replace("Infinity", "inf"))
        return struct.unpack("<f", struct.pack("<f", value))[0] if kind == FLOAT else float(value)

    def is_same(cell, value, kind):
        """Whether a cell is the value of a line; dates are numbers here."""
        if value is None or cell is None and kind not in (DATE, NANO):
            return cell is value is None
        if kind in ELEMENTS:
            return len(cell) == len(value) and all(
                is_same(c, v, ELEMENTS[kind]) for c, v in zip(cell, value))
        if kind in (FLOAT, DOUBLE):
            want = number(value, kind)
            return struct.pack("<d", cell) == struct.pack("<d", want) or cell != cell and want != want
        if kind in BYTES:
            return cell == base64.b64decode(value)
        if kind in (DATE, NANO):
            if isinstance(value, str) and "T" in value:
                head, fraction = value[:-1].split(".")
                seconds = (datetime.datetime.fromisoformat(head) - datetime.datetime(1970, 1, 1)) \
                    // datetime.timedelta(seconds=1)
                want = seconds * 10 ** len(fraction) + int(fraction)
                return cell == want
            # Beyond the dates of DuckDB, and of ISO 8601.
            return cell == int(value) or cell is None and (ISO or abs(int(value)) > 9 * 10 ** (15 if kind == DATE else 18))
        if kind == CHAR:
            return cell == str(value)
        if kind in (3, 5, 6, 11, 2):
            return cell == int(value)
        return cell == value

    def check(ok, *what):
        if not ok:
            sys.exit("directory %s: %s" % (os.getcwd(), " ".join(map(repr, what))))

    def compare():
        global CELLS, ISO
        manifest = json.load(open("manifest.json"))
        ISO = manifest["boxjoint"]["dates"] == "iso"
        kinds = {e["name"]: {p["name"]: p["type"] for p in e["properties"]} for e in manifest["boxjoint"]["model"]["entities"]}
        for file in manifest["files"]:
            data = (gzip.open if file["file"].endswith(".gz") else open)(file["file"], "rb").read()
            lines = [json.loads(line) for line in data.split(b"\n") if line]
            stem = file["file"][:-len(".gz")] if file["file"].endswith(".gz") else file["file"]
            stem = stem[:-len(".ndjson")]
            statement = open(stem + ".duckdb.sql", encoding="utf-8").read()
            spark = json.load(open(stem + ".spark.json", encoding="utf-8"))
            database = duckdb.connect()
            database.execute(statement)
            name = file.get("entity", file.get("relation")).replace("\0", "\ufffd")
            view = '"' + name.replace('"', '""') + '"'
            columns = [row[0] for row in database.execute("DESCRIBE " + view).fetchall()]
            if "relation" in file:
                rows = database.execute("SELECT source, target FROM " + view).fetchall()
                check(rows == [(int(l["source"]), int(t)) for l in lines for t in l["targets"]], name)
                check([f["name"] for f in spark["fields"]] == ["source", "targets"], name)
                continue
            types = kinds[file["entity"]]
            if lines:
                check([f["name"] for f in spark["fields"]] == list(lines[0]), name, "spark")
                seen, want = set(), []
                for member in lines[0]:
                    folded = "".join(c.lower() if c.isascii() else c for c in member)
                    if "\0" not in member and folded not in seen:
                        want.append(member)
                    seen.add(folded)
                check(columns == want, columns, want)
            def selected(column):
                text = '"' + column.replace('"', '""') + '"'
                kind = types.get(column)
                # Vectors of dates are compared as texts of their numbers by DuckDB itself.
                function = {DATE: "epoch_ms(%s)", NANO: "epoch_ns(%s)", 31: "[epoch_ms(d) FOR d IN %s]",
                            32: "[epoch_ns(d) FOR d IN %s]"}
                return function.get(kind, "%s") % text
            rows = database.execute("SELECT %s FROM %s" % (", ".join(map(selected, columns)), view)).fetchall()
            check(len(rows) == len(lines), name, len(rows), len(lines))
            for row, line in zip(rows, lines):
                for column, cell in zip(columns, row):
                    CELLS += 1
                    check(is_same(cell, line[column], types[column]), name, column, cell, line[column])

    for number_of_directory in range(int(sys.argv[1])):
        os.chdir(str(number_of_directory))
        compare()
        os.chdir("..")
    print(CELLS)
    """#
}
