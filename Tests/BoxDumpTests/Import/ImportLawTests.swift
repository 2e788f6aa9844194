import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Exported and imported data is the same to the byte.
struct ImportLawTests {
  /// In every shape, compressed in every way and not, with every form of integers and dates.
  @Test(.promise(8)) func exportImportExportGivesTheSameBytes() throws {
    var random = TestSeed.next()
    let stores = TestSeed.count("BOXJOINT_SOAK_STORES", default: 100)
    let layouts = DumpShape.allCases.flatMap { shape in
      Compression.allCases.map { (shape, $0) }
    }
    for number in 0..<stores {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: random.below(random.oneIn(20) ? 200 : 12))
      var options = ExportOptions()
      (options.shape, options.compression) = layouts[number % layouts.count]
      options.integers = random.pick(IntegerForm.allCases)
      options.dates = random.pick(DateForm.allCases)
      let dump = try fixture.export(generated.store, to: "first", options)
      let report = try DumpVerifier.verify(dump, isDirectory: options.shape == .directory)
      #expect(report.problems.isEmpty, "store \(number), \(options)")
      let batch = random.oneIn(3) ? nil : 1 + random.below(20)
      let defers = random.oneIn(2)
      try withExtendedLifetime(fixture.open("b", defersIndexes: defers)) {
        #expect($0.lacksIndexes == defers)
        _ = try fixture.load(dump, into: $0) { $0.batch = batch }
      }
      let copy = try fixture.open("b")
      try fixture.export(copy, to: "second", options)
      var isSame = try content(of: "first", fixture) == content(of: "second", fixture)
      #expect(isSame, "store \(number), \(options)")
      // The dump may say less than there is: two plain ones of the stores show it.
      try fixture.export(generated.store, to: "third")
      try fixture.export(copy, to: "fourth")
      isSame = try isSame && content(of: "third", fixture) == content(of: "fourth", fixture)
      #expect(isSame, "store \(number), \(options)")
      #expect(try copy.verify().isEmpty)
      try expectSameAnswers(generated.store, copy)
      if !isSame { return }
    }
  }

  /// Whatever became of the objects and relations of a dump: replaced by it they are what it has.
  @Test func replacingGivesTheDump() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: random.below(12))
      var options = ExportOptions()
      options.shape = random.pick(DumpShape.allCases)
      let dump = try fixture.export(generated.store, to: "dump", options)
      let copy = try fixture.open("b")
      try fixture.load(dump, into: copy)
      try copy.write { try change(copy, &random, $0) }
      let batch = random.oneIn(3) ? nil : 1 + random.below(20)
      let matches = random.oneIn(3)
      try fixture.load(dump, into: copy) {
        $0.mode = .replace
        $0.batch = batch
        if matches { $0.dangling = .null }
      }
      try fixture.export(copy, to: "replaced", options)
      if !matches {
        let isSame = try content(of: "dump", fixture) == content(of: "replaced", fixture)
        #expect(isSame, "store \(number), \(options.shape)")
      }
      let relations = try targets(copy)
      #expect(try relations == targets(generated.store), "store \(number), \(options.shape)")
      #expect(try copy.verify().isEmpty)
    }
  }

  /// Removes some objects, and links and unlinks others.
  private func change(
    _ store: ObjectStore, _ random: inout SplitMix64, _ transaction: Transaction
  ) throws {
    for entity in store.entities {
      for id in try ids(entity, transaction) where random.oneIn(6) {
        try transaction.remove(entity, id)
      }
    }
    for relation in store.entities.flatMap(\.relations) {
      let sources = try ids(#require(store.entity(relation.source)), transaction)
      let targets = try ids(#require(store.entity(relation.target)), transaction)
      for source in sources {
        for target in targets where random.oneIn(4) {
          if random.oneIn(2) {
            try transaction.link(relation, source, target)
          } else {
            try transaction.unlink(relation, source, target)
          }
        }
      }
    }
  }

  private func ids(_ entity: EntitySchema, _ transaction: Transaction) throws -> [UInt64] {
    var ids: [UInt64] = []
    try transaction.visitObjects(entity) {
      ids.append($0.id)
      return .next
    }
    return ids
  }

  private func targets(_ store: ObjectStore) throws -> [String: [UInt64: [UInt64]]] {
    try store.read { transaction in
      var all: [String: [UInt64: [UInt64]]] = [:]
      for entity in store.entities {
        for relation in entity.relations {
          for id in try ids(entity, transaction) {
            all["\(entity.name).\(relation.name)", default: [:]][id] = try transaction.targets(
              relation, of: id)
          }
        }
      }
      return all
    }
  }

  /// The bytes of a dump, by the names of its files.
  private func content(of name: String, _ fixture: ImportFixture) throws -> [String: [UInt8]] {
    var attributes = stat()
    guard stat(fixture.path(name), &attributes) == 0, attributes.st_mode & S_IFMT == S_IFDIR else {
      return ["": try fixture.directory.bytes(of: name)]
    }
    var files: [String: [UInt8]] = [:]
    for file in fixture.directory.names(in: name) {
      files[file] = try fixture.directory.bytes(of: name + "/" + file)
    }
    return files
  }

  /// Every look-up of a value that is in one of the stores finds the same objects in both.
  private func expectSameAnswers(_ a: ObjectStore, _ b: ObjectStore) throws {
    try a.read { first in
      try b.read { second in
        for (entity, copied) in zip(a.entities, b.entities) {
          for (position, property) in entity.properties.enumerated() where property.index != nil {
            var values: Set<Value> = []
            try first.visitObjects(entity) {
              if $0.values[position] != .null { values.insert($0.values[position]) }
              return .next
            }
            for value in values {
              let found = try first.ids(entity, where: property, equals: value)
              #expect(
                try second.ids(copied, where: copied.properties[position], equals: value) == found)
            }
          }
        }
      }
    }
  }

  /// An import that fails and cannot go on leaves the store with its indexes; one that can go on builds
  /// them at its end.
  @Test func aFailedImportGivesTheIndexesBack() throws {
    for (batch, isInterrupted) in [(nil, false), (2, false), (1, true)] as [(Int?, Bool)] {
      let fixture = try ImportFixture()
      let lines = { (second: String) in
        "{\"email\":\"a\",\"age\":1}\n{\"email\":\"\(second)\",\"age\":1}\n"
      }
      _ = try withExtendedLifetime(fixture.open("a", defersIndexes: true)) { store in
        #expect(throws: ImportIssue.self) {
          try fixture.load(text: lines("a"), into: store) {
            $0.entity = "Person"
            $0.batch = batch
          }
        }
      }
      #expect(try hasIndex(fixture) != isInterrupted)
      if isInterrupted {
        try withExtendedLifetime(fixture.open("a", defersIndexes: true)) { store in
          #expect(store.lacksIndexes)
          _ = try fixture.load(text: lines("b"), into: store) {
            $0.entity = "Person"
            $0.batch = batch
            $0.resumes = true
          }
        }
        #expect(try hasIndex(fixture))
      }
      #expect(try ObjectStore.verify(fixture.path("a")).isEmpty)
    }
  }

  /// Whether the store has the index of a property, as it is without being opened for writing.
  private func hasIndex(_ fixture: ImportFixture) throws -> Bool {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    let store = try ObjectStore.open(.directory(fixture.path("a")), options: options)
    return try store.entity(named: "Person").property(named: "age")?.index != nil
  }

  /// Every member of every shape stands wherever a formatter may put it.
  @Test func takesAnyLayoutOfADocument() throws {
    let fixture = try ImportFixture()
    var generated = GeneratedStore(store: try fixture.open("a"), random: TestSeed.next())
    try generated.fill(objects: 20)
    var options = ExportOptions()
    options.shape = .document
    try fixture.export(generated.store, to: "dump", options)
    let bytes = try fixture.directory.bytes(of: "dump")
    try fixture.directory.write(spacedOut(bytes), to: "spaced")
    let copy = try fixture.open("b")
    let summary = try fixture.load(fixture.path("spaced"), into: copy) { $0.batch = 7 }
    #expect(summary.notes.count == 1)
    try fixture.export(generated.store, to: "first")
    try fixture.export(copy, to: "second")
    #expect(try fixture.directory.bytes(of: "first") == fixture.directory.bytes(of: "second"))
  }

  /// The text with white space round every mark outside of strings.
  private func spacedOut(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      if byte == 10 { continue }
      if byte == UInt8(ascii: "\"") { isInString = true }
      if "{}[]:,".utf8.contains(byte) {
        result += Array(" \n\t".utf8) + [byte] + Array("\r\n ".utf8)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  @Test func newIDsCarryRelationsAlong() throws {
    var random = TestSeed.next()
    for _ in 0..<10 {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: 30)
      let dump = try fixture.export(generated.store, to: "dump")
      // Ids that are taken already.
      let copy = try fixture.open("b")
      try fixture.load(
        text: (1...40).map { "{\"email\":\"old\($0)\"}\n" }.joined(), into: copy
      ) { $0.entity = "Person" }
      try fixture.load(dump, into: copy) {
        $0.ids = .new
        $0.batch = 7
      }
      #expect(try shape(of: generated.store) == shape(of: copy))
      #expect(try copy.verify().isEmpty)
    }
  }

  /// The targets of all relations, by values instead of ids; people who were there before are left
  /// out.
  private func shape(of store: ObjectStore) throws -> [String] {
    try store.read { transaction in
      let person = try store.entity(named: "Person")
      func email(_ id: UInt64) throws -> String {
        let value = try transaction.get(person, id)?["email"]
        if case .string(let text)? = value { return text }
        return "-"
      }
      var lines: [String] = []
      try transaction.visitObjects(person) { object in
        guard case .string(let own) = object["email"], !own.hasPrefix("old") else { return .next }
        lines.append(own)
        return .next
      }
      var result: [String] = []
      let property = try #require(person.property(named: "email"))
      for own in lines {
        let found = try transaction.ids(person, where: property, equals: .string(own))
        let id = try #require(found.first)
        var friend = "nobody"
        let value = try transaction.get(person, id)?["friend"]
        if case .unsigned(let target)? = value, target != 0 {
          friend = try email(target)
          // With new ids what leads nowhere cannot keep its number.
          if friend == "-" { friend = "nobody" }
        }
        let friends = try transaction.targets(person.relations[0], of: id).map(email).sorted()
        result.append("\(own) \(friend) \(friends)")
      }
      return result.sorted()
    }
  }
}
