import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A damaged store returns the data that was put, also after an import into it, or an error.
///
/// The damage is flipped bits, and pages that were copied, swapped or zeroed. The truth is the dump of
/// the store before the damage.
struct DamageLawTests {
  private func dump(
    _ directory: String, salvages: Bool = false, isAtomic: Bool = false
  ) throws -> (bytes: [UInt8], leftOut: DumpTotals.LeftOut) {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    let store = try ObjectStore.open(.directory(directory), options: options)
    let output = MemoryOutput(isAtomic: isAtomic)
    var export = ExportOptions()
    export.salvages = salvages
    let totals = try DumpExporter(store, export).export(to: output)
    return (output.bytes(), totals.leftOut)
  }

  /// Tables that are salvaged have what a salvaged dump has.
  private func expectTables(
    of path: String, _ comment: String, like rest: (bytes: [UInt8], leftOut: DumpTotals.LeftOut),
    _ directory: TemporaryDirectory
  ) throws {
    var reading = StoreOptions()
    reading.storage.isReadOnly = true
    let store = try ObjectStore.open(.directory(path), options: reading)
    defer { store.close() }
    var export = ExportOptions()
    (export.salvages, export.shape, export.table) = (true, .directory, .csv)
    let name = "tables-\(UInt32.random(in: 0 ... .max))"
    let totals = try DumpExporter(store, export)
      .export(to: DirectoryOutput(directory, name, isDirectory: true))
    #expect(totals.leftOut == rest.leftOut, "\(comment): left out of the tables")
    try directory.write(rest.bytes, to: "rest.ndjson")
    // Without the end, which has the last ids: a table does not have those of removed objects.
    func imported(_ path: String) throws -> ArraySlice<Substring> {
      var opening = StoreOptions()
      opening.storesCheckpoints = true
      let copy = try ObjectStore.open(
        .directory(directory.path(of: "\(name)-\(path)")), model: DumpModel.document(),
        options: opening)
      defer { copy.close() }
      let input = try DumpInput(paths: [directory.path(of: path)])
      _ = try Importer(input, into: copy, options: ImportOptions()).run(rejects: nil)
      let output = MemoryOutput()
      try DumpExporter(copy).export(to: output)
      return output.text().split(separator: "\n").dropLast()
    }
    #expect(try imported(name) == imported("rest.ndjson"), "\(comment): the tables")
  }

  /// Changes by a unique value and by the id, and a new object of each kind.
  private static let changes = [
    ImportedLines(
      entity: "Thing", match: "Thing.code",
      text: (0..<60).map { "{\"code\":\"\($0)\",\"count\":\($0)}\n" }.joined()
        + "{\"code\":\"another\"}\n"),
    ImportedLines(
      entity: "Box", match: nil,
      text: "{\"id\":1,\"label\":\"changed\"}\n{\"id\":77,\"label\":\"another\"}\n"),
  ]

  private struct ImportedLines {
    var entity: String
    var match: String?
    var text: String
  }

  /// The dump of a store after an import into it.
  private func imported(
    _ lines: ImportedLines, into path: String, _ directory: TemporaryDirectory
  ) throws -> [UInt8] {
    try directory.write(lines.text, to: "lines.ndjson")
    var options = ImportOptions()
    options.mode = .upsert
    (options.entity, options.match) = (lines.entity, lines.match)
    var opening = StoreOptions()
    opening.storesCheckpoints = true
    let store = try ObjectStore.open(.directory(path), options: opening)
    let input = try DumpInput(
      path: directory.path(of: "lines.ndjson"), maximumElement: options.maximumElement)
    _ = try Importer(input, into: store, options: options).run(rejects: nil)
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    return output.bytes()
  }

  /// The objects of a dump as they are written, and the entries of its relations.
  private static func contents(of dump: [UInt8]) -> Set<String> {
    var contents: Set<String> = []
    for line in String(decoding: dump, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("{\"@boxjoint\"") { continue }
      guard let list = line.firstRange(of: "\"targets\":[") else {
        contents.insert(String(line))
        continue
      }
      for target in line[list.upperBound...].split(whereSeparator: { !$0.isNumber }) {
        contents.insert("\(line[..<list.lowerBound])\(target)")
      }
    }
    return contents
  }

  /// Opens a store whose pages are damaged as a copy of the others, and compares its data.
  ///
  /// - Returns: 1 if data was rescued, 0 if the catalog is damaged.
  private func rescue(_ path: String, _ comment: String, of truth: [UInt8]) throws -> Int {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    let rescue = result(comment) {
      try StoreRescue(path, options: options, progress: { _, _ in })
    }
    guard let rescue else { return 0 }
    defer { rescue.store.close() }
    var export = ExportOptions()
    export.salvages = true
    let output = MemoryOutput(isAtomic: false)
    let totals: DumpTotals? = result(comment) {
      try DumpExporter(rescue.store, export).export(to: output)
    }
    guard let totals else { return 0 }
    let (found, whole) = (Self.contents(of: output.bytes()), Self.contents(of: truth))
    #expect(found.isSubset(of: whole), "\(comment): the rescued data")
    if totals.leftOut.isEmpty && rescue.objects.isEmpty && rescue.entries.isEmpty {
      #expect(found == whole, "\(comment): nothing is reported as missing")
    }
    return found.isEmpty ? 0 : 1
  }

  /// Whether an error says that the store is damaged.
  private func isDocumented(_ error: any Error) -> Bool {
    switch error {
    case StoreError.damaged, StoreError.damagedCatalog, StoreError.damagedRecord,
      StoreError.damagedCheckpoint, StoreError.notAStore, StoreError.newerFormat,
      StoreError.noStore:
      true
    case StoreError.storage(let error): [.damaged, .notAStore].contains(error.kind)
    case let error as DumpError:
      error.kind == .malformed || error.message.contains("cannot be exported")
    default: false
    }
  }

  /// The bytes of a dump, or the error in words.
  private static func outcome(_ dump: () throws -> [UInt8]) -> String {
    do {
      return String(decoding: try dump(), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  /// The result of a command; nil if it ends with an error, which must be a documented one.
  private func result<R>(_ comment: String, _ command: () throws -> R) -> R? {
    do {
      return try command()
    } catch {
      #expect(isDocumented(error), "\(comment): \(error)")
      return nil
    }
  }

  @Test func whatLeavesAStoreIsWhatWasPutIn() throws {
    var random = TestSeed.next()
    let changes = TestSeed.count("BOXJOINT_SOAK_DAMAGES", default: 150)
    let directory = try TemporaryDirectory()
    let bytes = try DamagedFile.makeStore(&random, in: directory)
    let truth = try dump(directory.path(of: "truth")).bytes
    let copy = directory.path(of: "copy")
    let expected = try Self.changes.map { lines in
      try directory.write(bytes, to: "changed/data.mdb")
      return try imported(lines, into: directory.path(of: "changed"), directory)
    }
    #expect(expected.allSatisfy { $0 != truth })
    var (refusedByPages, rescued, refused, harmless, salvaged) = (0, 0, 0, 0, 0)
    for _ in 0..<changes {
      let (name, changed) = DamagedFile.damaged(bytes, &random)
      try directory.write(changed, to: "copy/data.mdb")
      let comment = "\(name)"
      guard let findings = result(comment, { try ObjectStore.verify(copy) }),
        findings.allSatisfy({ $0.rule != StoreRule.damagedPage })
      else {
        // Nothing else opens a file whose pages are damaged.
        refusedByPages += 1
        // A page that keeps its number with the bytes of another tree is a valid page of its place.
        if !name.hasSuffix("8 bytes aside") { rescued += try rescue(copy, comment, of: truth) }
        continue
      }
      if findings.isEmpty { harmless += 1 } else { refused += 1 }
      let related: Void? = result(comment) {
        var options = StoreOptions()
        options.storage.isReadOnly = true
        try ObjectStore.open(.directory(copy), options: options).requireWholeRelations()
      }
      if findings.isEmpty { #expect(related != nil, "\(comment): relations") }
      let ofRelations = [StoreRule.halfLink, StoreRule.danglingLink]
      if findings.contains(where: { ofRelations.contains($0.rule) }) {
        #expect(related == nil, "\(comment): relations")
      }
      let exported = result(comment) { try dump(copy).bytes }
      if let exported { #expect(exported == truth, "\(comment): the dump") }
      // Verified on the way, the store is refused for the same reason.
      #expect(
        Self.outcome { try dump(copy, isAtomic: true).bytes }
          == Self.outcome { try dump(copy).bytes }, "\(comment): an atomic dump")
      if findings.isEmpty { #expect(exported != nil, "\(comment): nothing is exported") }
      if let rest = result(comment, { try dump(copy, salvages: true) }) {
        if rest.leftOut.isEmpty {
          #expect(rest.bytes == truth, "\(comment): the salvaged dump")
        } else {
          salvaged += 1
          #expect(exported == nil, "\(comment)")
          #expect(rest.bytes.count < truth.count, "\(comment)")
        }
        if random.oneIn(8) || !rest.leftOut.isEmpty {
          try expectTables(of: copy, comment, like: rest, directory)
        }
      }
      let kind = random.below(Self.changes.count)
      try directory.write(changed, to: "changed/data.mdb")
      let outcome = result(comment) {
        try imported(Self.changes[kind], into: directory.path(of: "changed"), directory)
      }
      #expect((outcome != nil) == findings.isEmpty, "\(comment): an import")
      if let outcome { #expect(outcome == expected[kind], "\(comment): what was imported") }
      let before = try directory.bytes(of: "copy/data.mdb")
      var old: [UInt8]?
      let rebuilt: Void? = result(comment) {
        try ObjectStore.rebuild(copy, model: DumpModel.document()) { store, _ in
          let output = MemoryOutput()
          try DumpExporter(store).export(to: output)
          old = output.bytes()
          throw StoreError.damagedCheckpoint
        }
      }
      #expect(rebuilt == nil)
      if findings.isEmpty { #expect(old == truth, "\(comment): what is migrated") }
      if !findings.isEmpty { #expect(old == nil, "\(comment): a migration began") }
      let compacted: Void? = result(comment) { try ObjectStore.compact(copy) }
      #expect((compacted != nil) == findings.isEmpty, "\(comment): compaction")
      if compacted != nil {
        #expect(try dump(copy).bytes == truth, "\(comment): compacted")
      } else {
        #expect(try directory.bytes(of: "copy/data.mdb") == before, "\(comment): it was replaced")
      }
    }
    print(
      "\(changes) damages: \(refusedByPages) of pages (\(rescued) rescued in part), \(refused) refused (\(salvaged) salvaged in "
        + "part), \(harmless) harmless")
    #expect(refusedByPages > 0)
    #expect(rescued * 2 > refusedByPages)
    #expect(harmless > 0)
  }

  /// A half entry of a relation, in every way out of the store.
  @Test func aFlippedLinkIsRefused() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let bytes = try DamagedFile.makeStore(&random, in: directory)
    let truth = try dump(directory.path(of: "truth")).bytes
    let copy = directory.path(of: "copy")
    var found = 0
    for place in stride(from: 2 * DamagedFile.page, to: bytes.count, by: 8) where found < 20 {
      var changed = bytes
      changed[place] ^= 1
      try directory.write(changed, to: "copy/data.mdb")
      guard let findings = try? ObjectStore.verify(copy),
        findings.contains(where: { $0.rule == StoreRule.halfLink })
      else { continue }
      found += 1
      #expect(throws: StoreError.self) { try dump(copy) }
      #expect(throws: StoreError.self) { try ObjectStore.compact(copy) }
      let rest = try dump(copy, salvages: true)
      #expect(rest.leftOut.objects == 0)
      #expect(rest.leftOut.entries > 0)
      #expect(rest.bytes != truth)
    }
    #expect(found > 0)
  }
}
