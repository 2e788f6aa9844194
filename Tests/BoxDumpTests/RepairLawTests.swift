import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// A repair returns whatever the damage is, and loses nothing that it does not count.
///
/// The damage is that of `DamageLawTests`, files that are cut off, and files of other programs. The truth is the
/// store before the damage: its records byte for byte, the entries of its relations, and its last ids.
struct RepairLawTests {
  /// The content of a store.
  private struct Contents: Equatable {
    /// The records, under the entity and the id.
    var objects: [String: [UInt8]] = [:]
    /// The entries, as `Entity.relation source target`.
    var entries: Set<String> = []
    var counts: [String: Int] = [:]
    var lastIDs: [String: UInt64] = [:]
  }

  private func contents(of directory: String) throws -> Contents {
    let store = try ObjectStore.open(.directory(directory), model: DumpModel.document())
    defer { store.close() }
    return try store.read { (transaction) throws in
      var contents = Contents()
      for entity in store.entities {
        contents.lastIDs[entity.name] = try transaction.lastID(entity)
        var ids: [UInt64] = []
        try transaction.visit(entity) { (id, _) throws in
          ids.append(id)
          return .next
        }
        contents.counts[entity.name] = ids.count
        for id in ids {
          contents.objects["\(entity.name) \(id)"] = try transaction.snapshot(entity, id)
        }
        for relation in entity.relations {
          let name = "\(entity.name).\(relation.name)"
          contents.counts[name] = 0
          try transaction.visitEntries(relation) {
            contents.entries.insert("\(name) \($0) \($1)")
            contents.counts[name, default: 0] += 1
            return .next
          }
        }
      }
      return contents
    }
  }

  /// A data file of LMDB that is not one of a store.
  private func foreignFile(_ directory: TemporaryDirectory) throws -> [UInt8] {
    try directory.write([UInt8](), to: "foreign/data.mdb")
    let storage = try StorageLocation.directory(directory.path(of: "foreign")).open(
      StorageOptions())
    let transaction = try storage.beginWrite()
    let space = try #require(try transaction.openSpace("other", .bytes, create: true))
    try withUnsafeBytes(of: UInt64(1)) { try transaction.put(space, $0, $0, .replace) }
    try transaction.commit()
    return try directory.bytes(of: "foreign/data.mdb")
  }

  private func damaged(
    _ bytes: [UInt8], _ foreign: [UInt8], _ random: inout SplitMix64
  ) -> (String, [UInt8]) {
    switch random.below(10) {
    case 0:
      let size = random.below(bytes.count)
      return ("cut off after \(size) bytes", Array(bytes.prefix(size)))
    case 1:
      switch random.below(3) {
      case 0: return ("a file of another program that uses LMDB", foreign)
      case 1: return ("text", Array(String(repeating: "SQLite format 3", count: 900).utf8))
      default:
        let size = 1 + random.below(20_000)
        return ("\(size) bytes at random", (0..<size).map { _ in UInt8(random.below(256)) })
      }
    default: return DamagedFile.damaged(bytes, &random)
    }
  }

  private func expectPart(
    _ part: RepairReport.Part, _ found: Contents, _ truth: Contents, _ comment: String,
    isExact: Bool
  ) {
    #expect(found.counts[part.name] == part.kept, "\(comment): \(part.name) kept")
    guard isExact, let lost = part.lost else { return }
    #expect(part.kept + lost == truth.counts[part.name], "\(comment): \(part.name) lost \(lost)")
  }

  /// Compares a store that was repaired with the truth.
  private func expectRepaired(
    _ report: RepairReport, _ path: String, _ truth: Contents, _ comment: String
  ) throws {
    let found = try contents(of: path)
    // A page that keeps its number with the bytes of another tree is a valid page of its place.
    let isExact = !comment.hasSuffix("8 bytes aside")
    for (name, bytes) in found.objects {
      if isExact {
        #expect(truth.objects[name] == bytes, "\(comment): \(name)")
      } else {
        #expect(truth.objects.values.contains(bytes), "\(comment): \(name)")
      }
    }
    if isExact { #expect(found.entries.isSubset(of: truth.entries), "\(comment): entries") }
    for part in (report.contents?.entities ?? []) + (report.contents?.relations ?? []) {
      expectPart(part, found, truth, comment, isExact: isExact)
    }
    if report.contents == nil { #expect(found.objects.isEmpty, "\(comment)") }
    if isExact && !report.hasLoss { #expect(found == truth, "\(comment): nothing is lost") }
    for (name, id) in found.lastIDs {
      let highest = found.objects.keys.lazy.filter { $0.hasPrefix("\(name) ") }
        .compactMap { UInt64($0.dropFirst(name.count + 1)) }.max()
      #expect(id >= highest ?? 0, "\(comment): the last id of \(name)")
      let isLost = report.contents?.lostLastIDs.contains(name) ?? true
      if isExact, !isLost, report.contents?.entities.first(where: { $0.name == name })?.lost == 0 {
        #expect(id == truth.lastIDs[name], "\(comment): the last id of \(name)")
      }
    }
  }

  @Test func nothingIsLostThatIsNotCounted() throws {
    var random = TestSeed.next()
    let repairs = TestSeed.count("BOXJOINT_SOAK_REPAIRS", default: 60)
    let directory = try TemporaryDirectory()
    let bytes = try DamagedFile.makeStore(&random, in: directory)
    let truth = try contents(of: directory.path(of: "truth"))
    let foreign = try foreignFile(directory)
    let copy = directory.path(of: "copy")
    var (harmless, whole, partly, unreadable, emptied) = (0, 0, 0, 0, 0)
    for number in 0..<repairs {
      let (comment, changed) = damaged(bytes, foreign, &random)
      directory.removeEverything("copy")
      try directory.write(changed, to: "copy/data.mdb")
      var repair = StoreRepair(copy)
      repair.checks = random.oneIn(3) ? .pages : .everything
      repair.replacement = random.oneIn(8) ? .empty : .salvage
      repair.isDryRun = true
      let foreseen = try repair.run()
      #expect(try directory.bytes(of: "copy/data.mdb") == changed, "\(comment): a dry run")
      #expect(!directory.exists("copy/damaged"), "\(comment): a dry run")
      repair.isDryRun = false
      guard var report = try repair.run() else {
        harmless += 1
        #expect(foreseen == nil, "\(comment)")
        #expect(try directory.bytes(of: "copy/data.mdb") == changed, "\(comment): no damage")
        // One that was cut off in its first pages cannot be told from one that was begun.
        if repair.checks == .everything && changed.count > 2 * DamagedFile.page {
          #expect(try contents(of: copy) == truth, "\(comment): no damage")
        }
        continue
      }
      #expect(directory.names(in: "copy/damaged").count == 1, "\(comment)")
      #expect(
        try report.file.map { try TemporaryDirectory.bytes(ofFile: $0) } == changed,
        "\(comment): the damaged file")
      #expect(
        directory.names(in: "copy").allSatisfy {
          ["data.mdb", "lock.mdb", "store.lock", "damaged"].contains($0)
        }, "\(comment)")
      if repair.replacement == .empty {
        emptied += 1
        #expect(try contents(of: copy).objects.isEmpty, "\(comment)")
        for part in report.contents?.entities ?? [] {
          #expect(part.kept == 0, "\(comment)")
          if !comment.hasSuffix("8 bytes aside"), let lost = part.lost {
            #expect(lost == truth.counts[part.name], "\(comment): \(part.name)")
          }
        }
        continue
      }
      try expectRepaired(report, copy, truth, comment)
      report.file = nil
      #expect(foreseen == report, "\(comment): a dry run")
      #expect(try ObjectStore.verify(copy) == [], "\(comment): the new store")
      repair.checks = .everything
      #expect(try repair.run() == nil, "\(comment): the second time")
      if report.contents == nil {
        unreadable += 1
      } else if report.hasLoss {
        partly += 1
      } else {
        whole += 1
      }
      if number % 1000 == 999 { print("\(number + 1) of \(repairs)") }
    }
    print(
      "\(repairs) repairs: \(harmless) harmless, \(whole) without a loss, \(partly) with one, \(unreadable) without "
        + "anything that can be read, \(emptied) set aside")
    #expect(partly > 0 && harmless > 0 && whole + unreadable > 0)
  }
}
