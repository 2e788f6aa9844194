package import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport
package import BoxStorage

/// The output of `boxjoint store info`.
package struct StoreInformation {
  package var path: String
  package var status: StorageStatus
  package var statistics: StoreStatistics

  /// Creates the report.
  package init(path: String, status: StorageStatus, statistics: StoreStatistics) {
    self.path = path
    self.status = status
    self.statistics = statistics
  }

  /// Tables for people.
  package var text: String {
    var lines = [
      "store    \(path.escapedForDisplay)",
      "size     \(bytesText(status.size))\(free); "
        + "limit \(bytesText(status.limit))",
      "changes  \(counted(Int(clamping: status.lastTransaction), "transaction"))",
      "readers  \(status.readers.count) of \(status.maximumReaders)\(oldestReader)",
    ]
    if !statistics.features.isEmpty {
      lines.append("format   \(statistics.format): \(statistics.features.listed)")
    }
    if let sync = statistics.sync {
      lines.append("outbox   \(sync.outboxText)")
    }
    if statistics.entities.isEmpty { return lines.joined(separator: "\n") + "\n" }
    lines.append("")
    var table = TextTable(rows)
    table.rightAligned = [2, 3]
    lines += table.lines()
    if !statistics.declarations.isEmpty {
      lines +=
        ["", "rules about removals"]
        + statistics.declarations.table(hidden: statistics.hiddenDeclarations).lines()
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var free: String {
    status.freeBytes.map { ", of which \(bytesText($0)) are free" } ?? ""
  }

  /// The reader that keeps the oldest pages from being used again.
  private var oldestReader: String {
    guard let oldest = status.readers.first else { return "" }
    let behind = Int(clamping: status.lastTransaction) - Int(clamping: oldest.transaction)
    if behind <= 0 { return "" }
    let held = status.heldBytes.map { bytesText($0) + " of free" } ?? "free"
    return
      "; process \(oldest.process) reads a state that is \(counted(behind, "transaction")) old, and keeps "
      + "\(held) pages from being used again"
  }

  private var rows: [[String]] {
    var rows = [["NAME", "KIND", "ENTRIES", "SIZE", ""]]
    for entity in statistics.entities {
      rows.append([
        entity.name.escapedForDisplay, "entity", grouped(entity.objects.entries),
        bytesText(entity.objects.bytes),
        entity.isHidden
          ? "hidden: not in the model" : "last id \(grouped(Int(clamping: entity.lastID)))",
      ])
      for index in entity.indexes {
        let note = "\(index.kind.rawValue)\(index.isUnique ? ", unique" : "")"
        rows.append([
          "  " + index.property.escapedForDisplay, "index", grouped(index.entries.entries),
          bytesText(index.entries.bytes), note,
        ])
      }
      for relation in entity.relations {
        rows.append([
          "  " + relation.name.escapedForDisplay, "relation", grouped(relation.entries.entries),
          bytesText(relation.entries.bytes), "",
        ])
      }
      for constant in entity.constants {
        rows.append([
          "  " + constant.property.escapedForDisplay, "constant", "", "",
          "\(constant.value)".escapedForDisplay + " in objects without a value",
        ])
      }
      for property in entity.hiddenProperties {
        rows.append([
          "  " + property.escapedForDisplay, "property", "", "", "hidden: not in the model",
        ])
      }
    }
    for part in statistics.sync?.parts ?? [] {
      rows.append([
        part.space, "sync", grouped(part.entries.entries), bytesText(part.entries.bytes),
        part.contents,
      ])
    }
    return rows
  }

  /// The same for programs.
  package var json: JSONValue {
    guard case .object(var members) = sizes else { return sizes }
    if !statistics.declarations.isEmpty {
      members.append(
        .init("rules", statistics.declarations.json(hidden: statistics.hiddenDeclarations)))
    }
    if let sync = statistics.sync { members.append(.init("sync", sync.json)) }
    return .object(members)
  }

  private var sizes: JSONValue {
    [
      "schemaVersion": 2,
      "store": .string(path),
      "pageSize": .int(status.pageSize),
      "size": .int(status.size),
      "freeBytes": status.freeBytes.map { .int($0) } ?? .null,
      "heldBytes": status.heldBytes.map { .int($0) } ?? .null,
      "limit": .int(status.limit),
      "lastTransaction": .int(Int(clamping: status.lastTransaction)),
      "maximumReaders": .int(status.maximumReaders),
      "readers": .array(
        status.readers.map {
          [
            "process": .int(Int($0.process)),
            "transaction": .int(Int(clamping: $0.transaction)),
          ]
        }),
      "format": .int(statistics.format),
      "features": .array(statistics.features.map { .string($0) }),
      "entities": .array(statistics.entities.map(json)),
    ]
  }

  private func json(_ entity: StoreStatistics.EntitySizes) -> JSONValue {
    [
      "name": .string(entity.name), "uid": entity.uid.uidJSON, "hidden": .bool(entity.isHidden),
      "objects": .int(entity.objects.entries), "bytes": .int(entity.objects.bytes),
      "lastId": .uint(entity.lastID),
      "indexes": .array(
        entity.indexes.map {
          [
            "property": .string($0.property), "uid": $0.uid.uidJSON,
            "kind": .string($0.kind.rawValue), "unique": .bool($0.isUnique),
            "entries": .int($0.entries.entries), "bytes": .int($0.entries.bytes),
          ]
        }),
      "relations": .array(
        entity.relations.map {
          [
            "name": .string($0.name), "uid": $0.uid.uidJSON, "entries": .int($0.entries.entries),
            "bytes": .int($0.entries.bytes),
          ]
        }),
      "hiddenProperties": .array(entity.hiddenProperties.map { .string($0) }),
      "constants": .array(
        entity.constants.map {
          [
            "property": .string($0.property), "uid": $0.uid.uidJSON,
            "value": .string("\($0.value)"),
          ]
        }),
    ]
  }
}
