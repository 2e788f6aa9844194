import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// A store that is exported as tables and imported again is the same.
struct TableLawTests {
  /// Every value of every type, every relation, with every form of tables.
  @Test func importingTheTablesRestoresTheStore() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: random.below(random.oneIn(20) ? 200 : 12))
      var options = ExportOptions()
      options.shape = .directory
      var table = random.pick([TableForm.csv, .tsv])
      if random.oneIn(3) { table.delimiter = random.pick([";", "|", "\t", " ", "~"]) }
      // Texts that values can have too.
      table.null = random.pick(["", "", "NULL", #"\N"#, "0", "true", "[]", "NaN", "a"])
      options.table = table
      options.integers = random.pick(IntegerForm.allCases)
      options.dates = random.pick(DateForm.allCases)
      options.compression = random.pick(Compression.allCases)
      let path = try fixture.export(generated.store, to: "tables", options)

      var form = InputForm()
      form.delimiter = table.delimiter
      form.null = table.null
      let copy = try fixture.open("b")
      let batch = random.oneIn(3) ? nil : 1 + random.below(20)
      try fixture.load(paths: [path], form, into: copy) { $0.batch = batch }
      #expect(
        try fixture.objects(copy) == fixture.objects(generated.store),
        "store \(number), \(table), \(options.integers), \(options.dates)")
      #expect(try copy.verify().isEmpty)
    }
  }

  /// A text for null that a converter could show too is refused, or everything comes back.
  @Test func valuesOfAConverterAreNotTakenForNull() throws {
    var random = TestSeed.next()
    let catalogue = try Catalogue(["properties": ["Person.name": "json"]])
    let texts = [
      "true", #""true""#, "5", #""5""#, "null", #""null""#, "[1]", #""[1]""#, #""x""#, "{}",
      #""{}""#, "5.5", "\"\"",
    ]
    var refused = 0
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      let store = try fixture.open("a")
      let people = (1...8).map { id in
        #"{"Person":{"id":\#(id),"email":"\#(id)","name":\#(random.pick(texts))}}"#
      }
      try fixture.load(text: people.joined(separator: "\n"), into: store) {
        $0.catalogue = catalogue
      }
      var table = TableForm.csv
      table.null = random.pick(["", "true", "TRUE", "5", "5.5", "x", "null", "[1]", "{}"])
      var options = ExportOptions()
      options.shape = .directory
      options.table = table
      options.converters = ExportConverters(catalogue)
      let path: String
      do {
        path = try fixture.export(store, to: "tables", options)
      } catch let error as DumpError {
        #expect(
          error.remedy == .nameNull && ["true", "5", "5.5"].contains(table.null), "\(error)")
        refused += 1
        continue
      }
      var form = InputForm()
      form.null = table.null
      let copy = try fixture.open("b")
      try fixture.load(paths: [path], form, into: copy) { $0.catalogue = catalogue }
      #expect(
        try fixture.objects(copy) == fixture.objects(store),
        "store \(number), \(table.null), \(people)")
    }
    #expect(refused > 0)
  }

  /// Columns whose names have blanks around them or a byte-order mark, which readers of tables skip.
  @Test(arguments: [TableForm.csv, .tsv])
  func namesThatReadersSkipComeBack(_ form: TableForm) throws {
    var model = TestModel()
    let names = ["\u{FEFF}k", "k", " k", "k ", " ", "\u{FEFF}", "\"k\"", "a,b", "\u{FEFF} k"]
    model.entities = [
      .init(
        name: "Item", uid: 1000,
        fields: names.enumerated().map { .init($1, UID(2000 + $0), .string) })
    ]
    let document = try model.document()
    let fixture = try ImportFixture()
    let (first, second) = (try fixture.open("a", document), try fixture.open("b", document))
    let item = try first.entity(named: "Item")
    for number in 1...3 {
      var object = DynamicObject(item)
      for name in names { try object.set(name, .string("\(number) \(name)")) }
      try first.write { _ = try $0.put(object) }
    }
    var options = ExportOptions()
    options.shape = .directory
    options.table = form
    try fixture.load(paths: [try fixture.export(first, to: "tables", options)], into: second)
    #expect(try fixture.objects(first) == fixture.objects(second))
  }

  /// Of a selection the table has what a dump of the same selection has.
  @Test func aTableHasTheObjectsOfADump() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 60) {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: 1 + random.below(30))
      var options = ExportOptions()
      options.shape = .directory
      if random.oneIn(2) { options.limit = random.below(10) }
      if random.oneIn(2) { options.condition = "Person.age > 30" }
      let dump = try fixture.export(generated.store, to: "dump", options)
      options.table = .csv
      let tables = try fixture.export(generated.store, to: "tables", options)
      let (first, second) = (try fixture.open("b"), try fixture.open("c"))
      try fixture.load(dump, into: first)
      try fixture.load(paths: [tables], into: second)
      #expect(try fixture.objects(first) == fixture.objects(second), "store \(number)")
    }
  }
}

extension ImportFixture {
  /// Imports files of any kind as one import.
  @discardableResult
  func load(
    paths: [String], _ form: InputForm = InputForm(), allowsPartial: Bool = false,
    into store: ObjectStore, rejects: String? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportSummary {
    var options = ImportOptions()
    change(&options)
    let input = try DumpInput(
      paths: paths, form: form, allowsPartialDirectories: allowsPartial,
      maximumElement: options.maximumElement)
    return try Importer(input, into: store, options: options).run(
      rejects: rejects.map { RejectsFile(path: $0, for: input) })
  }

  /// The objects and entries of a store as a dump has them, by entity and relation.
  func objects(_ store: ObjectStore) throws -> [String: String] {
    var options = ExportOptions()
    options.shape = .directory
    let name = "objects-\(UInt32.random(in: 0 ... .max))"
    try export(store, to: name, options)
    var objects: [String: String] = [:]
    for file in directory.names(in: name) where file != DumpManifest.fileName {
      objects[file] = try directory.text(of: name + "/" + file)
    }
    return objects
  }
}
