import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// The views for DuckDB have the values of the lines, with the types of the model.
@Suite(.enabled("needs DuckDB for Python: pip install duckdb") { await DuckDB.isThere() })
struct DuckDBLawTests {
  @Test func viewsHaveTheValuesOfTheLines() async throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let count = TestSeed.count("BOXJOINT_SOAK_DATABASES", default: 100)
    for number in 0..<count {
      let store = try GeneratedModel(&random).store(&random, objects: 12)
      defer { store.close() }
      var options = ExportOptions()
      options.shape = .directory
      options.schemas = SchemaReader.allCases
      options.integers = random.pick(IntegerForm.allCases)
      options.dates = random.pick(DateForm.allCases)
      options.bytes = random.pick(BytesForm.allCases)
      options.compression = random.pick([.none, .gzip])
      if random.oneIn(2) { options.rowsPerFile = 1 + random.below(5) }
      try DumpExporter(store, options).export(
        to: DirectoryOutput(directory, "\(number)", isDirectory: true))
      let questions = try questions(about: store, &random)
      try directory.write(JSONValue.array(questions).text(indent: 0), to: "\(number).questions")
    }
    let run = try await DuckDB.run(Self.script, "\(count)", in: directory)
    #expect(run.status == 0, "\(run.messages)")
    #expect(Int(run.text.dropLast()) ?? 0 > count)
  }

  /// Conditions at the limits of the types, with the numbers of objects that fulfil them.
  private func questions(
    about store: ObjectStore, _ random: inout SplitMix64
  ) throws -> [JSONValue] {
    var questions: [JSONValue] = []
    for entity in store.entities {
      for property in entity.properties
      where property.target == nil && !property.flags.contains(.id) {
        let literals: [String]
        switch property.modelType.traits?.unit == nil ? property.type : .bools {
        case .int8: literals = ["-128", "127"]
        case .int16: literals = ["-32768", "0"]
        case .int32: literals = ["-2147483648", "2147483647"]
        case .int64: literals = ["-9223372036854775808", "9223372036854775807", "0"]
        case .uint64: literals = ["18446744073709551615", "9223372036854775807"]
        case .double: literals = ["0.0", "1e308", "5e-324"]
        default: continue
        }
        let (literal, sign) = (random.pick(literals), random.pick(["==", "<", "<=", ">", ">="]))
        var options = ExportOptions()
        options.entities = [entity.name]
        options.condition = "\(NamePath([property.name])) \(sign) \(literal)"
        let totals = try DumpExporter(store, options).export(to: MemoryOutput())
        questions.append([
          "entity": .string(entity.name), "property": .string(property.name),
          "sign": .string(sign == "==" ? "=" : sign), "literal": .string(literal),
          "isDouble": .bool(property.type == .double), "count": .int(totals.objects),
        ])
      }
    }
    return questions
  }

  private static let script = #"""
    import base64, datetime, gzip, json, math, os, re, struct, sys

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
            hexadecimal = value.startswith("\\x")
            return cell == (bytes.fromhex(value[2:]) if hexadecimal else base64.b64decode(value))
        if kind in (DATE, NANO):
            if isinstance(value, str) and "T" in value:
                head, fraction = value[:-1].split(".")
                seconds = (datetime.datetime.fromisoformat(head) - datetime.datetime(1970, 1, 1)) \
                    // datetime.timedelta(seconds=1)
                want = seconds * 10 ** len(fraction) + int(fraction)
                # The first and the last nanosecond stand for infinities in DuckDB.
                return cell == want or cell is None and kind == NANO and abs(want) >= 2 ** 63 - 1
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

    VIEWS = {}

    def view_name(name, taken):
        """The name of the view of an entity or a relation: DuckDB ignores the case of A to Z."""
        base = name.replace("\0", "\ufffd") or "_"
        name, number = base, 2
        while "".join(c.lower() if c.isascii() else c for c in name) in taken:
            name, number = "%s_%d" % (base, number), number + 1
        taken.add("".join(c.lower() if c.isascii() else c for c in name))
        return '"' + name.replace('"', '""') + '"'

    def compare():
        global CELLS, ISO
        manifest = json.load(open("manifest.json"))
        check("_SUCCESS" in os.listdir("."), "no mark")
        ISO = manifest["boxjoint"]["dates"] == "iso"
        kinds = {e["name"]: {p["name"]: p["type"] for p in e["properties"]} for e in manifest["boxjoint"]["model"]["entities"]}
        database, taken, sections = duckdb.connect(), set(), {}
        for statement in [n for n in os.listdir(".") if n.endswith(".duckdb.sql")]:
            database.execute(open(statement, encoding="utf-8").read())
        VIEWS.clear()
        for file in manifest["files"]:
            key = ("entity", file["entity"]) if "entity" in file else ("relation", file["relation"])
            data = (gzip.open if file["file"].endswith(".gz") else open)(file["file"], "rb").read()
            section = sections.setdefault(key, {"file": file, "lines": []})
            lines = [json.loads(line) for line in data.split(b"\n") if line]
            check(len(lines) == file.get("objects", file.get("sources")), file["file"])
            section["lines"] += lines
        for key, section in sections.items():
            file, lines = section["file"], section["lines"]
            stem = file["file"][:-len(".gz")] if file["file"].endswith(".gz") else file["file"]
            stem = re.sub("-[0-9]{5}$", "", stem[:-len(".ndjson")]) if manifest["boxjoint"]["dump"] > 1 \
                else stem[:-len(".ndjson")]
            spark = json.load(open(stem + ".spark.json", encoding="utf-8"))
            name = key[1]
            view = VIEWS[key] = view_name(name, taken)
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
        for question in json.load(open("../%d.questions" % number_of_directory)):
            view, column = VIEWS["entity", question["entity"]], '"' + question["property"].replace('"', '""') + '"'
            if question["property"] not in [row[0] for row in database.execute("DESCRIBE " + view).fetchall()]:
                continue
            # For DuckDB NaN is the largest number, and for a condition it is neither larger nor smaller.
            guard = " AND NOT isnan(%s)" % column if question["isDouble"] else ""
            found = database.execute("SELECT count(*) FROM %s WHERE %s %s %s%s" % (
                view, column, question["sign"], question["literal"], guard)).fetchone()[0]
            check(found == question["count"], question, found)

    for number_of_directory in range(int(sys.argv[1])):
        os.chdir(str(number_of_directory))
        compare()
        os.chdir("..")
    print(CELLS)
    """#

  /// A view whose name differs only in case from another one has a name of its own.
  @Test func viewsThatDifferOnlyInCase() async throws {
    let directory = try TemporaryDirectory()
    let model = TestModel(
      .init(name: "E", uid: 1000, fields: [], relations: [.init("rel", 8001, to: "E")]),
      .init(name: "E.Rel", uid: 2000, fields: [.init("a", 2002, .int)]))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    try store.write { transaction in
      let (e, other) = (try store.entity(named: "E"), try store.entity(named: "E.Rel"))
      try transaction.put(DynamicObject(e))
      try transaction.link(e.relations[0], 1, 1)
      var object = DynamicObject(other)
      object["a"] = .integer(7)
      try transaction.put(object)
    }
    var options = ExportOptions()
    (options.shape, options.schemas) = (.directory, [.duckdb])
    try DumpExporter(store, options).export(
      to: DirectoryOutput(directory, "d", isDirectory: true))
    let run = try await DuckDB.run(
      """
      import glob, os
      os.chdir("d")
      for name in glob.glob("*.sql"): duckdb.execute(open(name).read())
      print(duckdb.sql('select a from "e.rel"').fetchall(), duckdb.sql('from "E.rel_2"').fetchall())
      """, in: directory)
    #expect(run.text == "[(7,)] [(1, 1)]\n", "\(run.messages)")
  }

  /// Objects that are larger than DuckDB reads by default, a text of 1 MB, and one with NUL.
  @Test func largeObjects() async throws {
    let directory = try TemporaryDirectory()
    let store = try ObjectStore.open(
      .ownMemory(),
      model: TestModel(.init(name: "E", uid: 1000, fields: [.init("s", 1002, .string)])).document())
    let entity = try store.entity(named: "E")
    try store.write { transaction in
      for text in [
        "", "a\0b", String(repeating: "x", count: 1 << 20), String(repeating: "y", count: 17 << 20),
      ] {
        var object = DynamicObject(entity)
        object["s"] = .string(text)
        try transaction.put(object)
      }
    }
    var options = ExportOptions()
    (options.shape, options.schemas, options.rowsPerFile) = (.directory, [.duckdb], 3)
    try DumpExporter(store, options).export(
      to: DirectoryOutput(directory, "d", isDirectory: true))
    let run = try await DuckDB.run(
      """
      import os
      os.chdir("d")
      duckdb.execute(open("E.duckdb.sql").read())
      print([len(row[0]) for row in duckdb.sql('select s from "E" order by id').fetchall()])
      """, in: directory)
    #expect(run.text == "[0, 3, 1048576, 17825792]\n", "\(run.messages)")
  }
}

/// The comments of the statements, which have names of a model that may be a stranger's.
struct DuckDBCommentTests {
  @Test func aLineFeedInANameEndsNoComment() throws {
    let model = TestModel(
      .init(
        name: "nul\0line\nDROP TABLE x; --", uid: 1000,
        fields: [.init("a", 1010, .string), .init("b\0\nSELECT 1; --", 1011, .string)]))
    let store = try ObjectStore.open(.memory("comments for DuckDB"), model: model.document())
    defer { store.close() }
    var options = ExportOptions()
    (options.shape, options.schemas) = (.directory, [.duckdb])
    let directory = try TemporaryDirectory()
    try DumpExporter(store, options).export(
      to: DirectoryOutput(directory, "dump", isDirectory: true))
    let name = try #require(directory.names(in: "dump").first { $0.hasSuffix(".duckdb.sql") })
    let text = String(decoding: try directory.bytes(of: "dump/" + name), as: UTF8.self)
    let lines = text.split(separator: "\n").prefix { !$0.hasPrefix("CREATE OR REPLACE VIEW") }
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.hasPrefix("-- ") }, "\(lines)")
    #expect(!text.utf8.contains(0))
  }
}
