import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// What is exported and imported is the same to the byte.
struct ImportLawTests {
  @Test func exportImportExportGivesTheSameBytes() throws {
    var random = TestSeed.next()
    let stores = TestSeed.count("BOXJOINT_SOAK_STORES", default: 40)
    for number in 0..<stores {
      let fixture = try ImportFixture()
      var generated = GeneratedStore(
        store: try fixture.open("a"), random: SplitMix64(seed: random.next()))
      try generated.fill(objects: random.below(random.oneIn(10) ? 300 : 25))
      var options = ExportOptions()
      options.shape = random.pick(DumpShape.allCases)
      options.compression = random.pick(Compression.allCases)
      options.integers = random.pick(IntegerForm.allCases)
      options.dates = random.pick(DateForm.allCases)
      let dump = try fixture.export(generated.store, to: "dump", options)
      let copy = try fixture.open("b")
      let batch = random.oneIn(3) ? nil : 1 + random.below(20)
      try fixture.load(dump, into: copy) { $0.batch = batch }
      // Whatever was written, it is compared in the form that shows most.
      try fixture.export(generated.store, to: "first")
      try fixture.export(copy, to: "second")
      let (first, second) = (
        try fixture.folder.bytes(of: "first"), try fixture.folder.bytes(of: "second")
      )
      #expect(
        first == second,
        "store \(number), \(options)")
      #expect(try copy.verify().isEmpty)
      if first != second { return }
    }
  }

  /// Every member of every shape stands wherever a formatter may put it.
  @Test func takesAnyLayoutOfADocument() throws {
    let fixture = try ImportFixture()
    var generated = GeneratedStore(store: try fixture.open("a"), random: TestSeed.next())
    try generated.fill(objects: 20)
    var options = ExportOptions()
    options.shape = .document
    try fixture.export(generated.store, to: "dump", options)
    let bytes = try fixture.folder.bytes(of: "dump")
    try fixture.folder.write(spacedOut(bytes), to: "spaced")
    let copy = try fixture.open("b")
    let summary = try fixture.load(fixture.path("spaced"), into: copy) { $0.batch = 7 }
    #expect(summary.notes.count == 1)
    try fixture.export(generated.store, to: "first")
    try fixture.export(copy, to: "second")
    #expect(try fixture.folder.bytes(of: "first") == fixture.folder.bytes(of: "second"))
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

  /// Who leads to whom, by values instead of ids; people that were there before are left out.
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
        guard case .string(let own)? = object["email"], !own.hasPrefix("old") else { return .next }
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
