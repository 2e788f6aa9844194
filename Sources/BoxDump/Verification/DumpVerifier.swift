/// Checks that a dump is whole and as it was written.
public enum DumpVerifier {
  /// The result of a check.
  public struct Report: Hashable, Sendable {
    /// The header of the dump.
    public var header: DumpHeader
    /// The numbers of the objects and entries that were found.
    public var totals: DumpTotals
    /// The bytes that were checked, uncompressed.
    public var bytes: Int
    /// The problems; empty for a valid dump.
    public var problems: [DumpError]
  }

  /// Checks the counts and the checksums of a dump.
  ///
  /// - Parameters:
  ///   - path: The file or the directory.
  ///   - isFolder: Whether the path is a directory.
  ///   - limits: The limits of the decompressed size of a file.
  ///   - progress: Called from time to time with the number of objects and entries counted so far.
  /// - Returns: The counts and the problems.
  /// - Throws: ``DumpError`` if the file is not a dump or cannot be read.
  /// - Complexity: O(*n*) in its size; one line is in memory at a time.
  public static func verify(
    _ path: String, isFolder: Bool, limits: DecompressionLimits = DecompressionLimits(),
    progress: (Int) -> Void = { _ in }
  ) throws -> Report {
    let scanner = try DumpScanner(path, isFolder: isFolder, limits: limits)
    var count = Count(scanner.header)
    return isFolder
      ? try verifyFolder(scanner, path, &count, progress)
      : try verifyFile(scanner, path, &count, progress)
  }

  private static func verifyFile(
    _ scanner: DumpScanner, _ path: String, _ count: inout Count, _ progress: (Int) -> Void
  ) throws -> Report {
    var problems: [DumpError] = []
    let items = try scanner.items()
    do throws(DumpError) {
      try count.take(items, progress)
      if items.end == nil { throw items.endsEarly() }
    } catch {
      if error.kind != .cutOff { throw error }
      problems.append(error)
    }
    if let end = items.end {
      if end.said != end.found {
        problems.append(
          DumpError(
            "the checksum is \(DumpChecksum.text(end.found)), and was "
              + "\(DumpChecksum.text(end.said)) when the dump was written", path: path))
      }
      if !end.isUnchanged { problems.append(DumpError(DumpEnd.wrongCheck, path: path)) }
      problems += count.differences(from: end.totals, path)
      count.takeLastIDs(of: end.totals)
    }
    return Report(
      header: scanner.header, totals: count.totals, bytes: items.bytes, problems: problems)
  }

  private static func verifyFolder(
    _ scanner: DumpScanner, _ path: String, _ count: inout Count, _ progress: (Int) -> Void
  ) throws -> Report {
    var problems: [DumpError] = []
    var bytes = 0
    var said = DumpTotals()
    if !scanner.isManifestUnchanged {
      problems.append(
        DumpError(
          "was changed or damaged: its check is wrong",
          path: path + "/" + DumpManifest.fileName))
    }
    for file in scanner.files {
      let place = path + "/" + file.name
      do throws(DumpError) {
        let found = try scanner.items(of: file)
        try count.take(found, progress)
        bytes += found.bytes
        if found.bytes != file.bytes {
          problems.append(
            DumpError(
              "the file has \(found.bytes) bytes, and \(file.bytes) in the manifest", path: place))
        } else if found.checksum.value != file.checksum {
          problems.append(
            DumpError(
              "the checksum is \(found.checksum.text), and "
                + "\(DumpChecksum.text(file.checksum)) in the manifest", path: place))
        }
      } catch {
        problems.append(error)
      }
      switch file.content {
      case .entity(let total): said.entities.append(total)
      case .relation(let total): said.relations.append(total)
      }
    }
    problems += count.differences(from: said, path + "/" + DumpManifest.fileName)
    count.takeLastIDs(of: said)
    return Report(
      header: scanner.header, totals: count.totals, bytes: bytes, problems: problems)
  }

  /// The numbers counted so far.
  private struct Count {
    private(set) var totals = DumpTotals()
    private let entities: Set<String>
    private var items = 0
    /// The positions of the entities and the relations in the totals.
    private var entityPositions: [String: Int] = [:]
    private var relationPositions: [String: Int] = [:]
    /// The positions of the section that was counted last.
    private var lastEntity = 0
    private var lastRelation = 0

    init(_ header: DumpHeader) { entities = Set(header.entities) }

    mutating func take(_ source: DumpItems, _ progress: (Int) -> Void) throws(DumpError) {
      while let item = try source.next() {
        try take(item, source)
        items += 1
        if items % 65_536 == 0 { progress(items) }
      }
    }

    private mutating func take(
      _ item: DumpScanner.Item, _ source: DumpItems
    ) throws(DumpError) {
      if item.isEntry {
        let position = relationPosition(item.section)
        totals.relations[position].sources += 1
        // A comma between the source and the targets, and one between each two targets.
        totals.relations[position].targets += item.json.count { $0 == UInt8(ascii: ",") }
      } else {
        guard let position = entityPosition(item.section) else {
          throw source.error("the header does not name the entity \(item.section)", item)
        }
        totals.entities[position].objects += 1
      }
    }

    /// The position of an entity in the totals; nil for one that the header does not name.
    private mutating func entityPosition(_ name: String) -> Int? {
      if lastEntity < totals.entities.count, totals.entities[lastEntity].name == name {
        return lastEntity
      }
      if let known = entityPositions[name] {
        lastEntity = known
      } else if entities.contains(name) {
        lastEntity = totals.entities.count
        entityPositions[name] = lastEntity
        totals.entities.append(.init(name: name, objects: 0, lastID: 0))
      } else {
        return nil
      }
      return lastEntity
    }

    private mutating func relationPosition(_ name: String) -> Int {
      if lastRelation < totals.relations.count, totals.relations[lastRelation].name == name {
        return lastRelation
      }
      if let known = relationPositions[name] {
        lastRelation = known
      } else {
        lastRelation = totals.relations.count
        relationPositions[name] = lastRelation
        totals.relations.append(.init(name: name, sources: 0, targets: 0))
      }
      return lastRelation
    }

    private func objects(of entity: String) -> Int {
      entityPositions[entity].map { totals.entities[$0].objects } ?? 0
    }

    private func entries(of relation: String) -> (sources: Int, targets: Int) {
      guard let position = relationPositions[relation] else { return (0, 0) }
      return (totals.relations[position].sources, totals.relations[position].targets)
    }

    /// The errors for counts that differ from those in the dump.
    func differences(from said: DumpTotals, _ path: String) -> [DumpError] {
      var problems: [DumpError] = []
      func compare(_ what: String, _ found: Int, _ said: Int) {
        if found != said {
          problems.append(
            DumpError("there are \(found) \(what), and should be \(said)", path: path))
        }
      }
      for total in said.entities {
        compare("objects of \(total.name)", objects(of: total.name), total.objects)
      }
      for total in said.relations {
        let found = entries(of: total.name)
        compare("sources of \(total.name)", found.sources, total.sources)
        compare("targets of \(total.name)", found.targets, total.targets)
      }
      let names = Set(said.entities.map(\.name) + said.relations.map(\.name))
      for name in totals.entities.map(\.name) + totals.relations.map(\.name)
      where !names.contains(name) {
        problems.append(DumpError("the end of the dump does not count \(name)", path: path))
      }
      return problems
    }

    /// Takes over what cannot be counted; entities without objects come in here too.
    mutating func takeLastIDs(of said: DumpTotals) {
      let counted = self
      totals.entities = said.entities.map { total in
        var total = total
        total.objects = counted.objects(of: total.name)
        return total
      }
      totals.relations = said.relations.map { total in
        var total = total
        let found = counted.entries(of: total.name)
        total.sources = found.sources
        total.targets = found.targets
        return total
      }
    }
  }
}
