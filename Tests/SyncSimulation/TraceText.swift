import BoxModel

@testable import BoxSync

// Short texts, so that the trace of a seed can be read.

extension Ghost: CustomStringConvertible {
  var description: String { "\(entity):\(value)" }
}

extension RawValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .reference(let ghost): "→\(ghost)"
    case .unknown: "→?"
    }
  }
}

extension RawOperation: CustomStringConvertible {
  var description: String {
    if let target { return "\(kind) \(object)-\(relation)-\(target)" }
    let values = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return "\(kind) \(object) life \(life) \(values.joined(separator: " "))"
  }
}

extension RawTransaction: CustomStringConvertible {
  var description: String {
    "\(shortened(mark)) {" + operations.map(\.description).joined(separator: "; ") + "}"
  }
}

extension OracleObject: CustomStringConvertible {
  var description: String {
    let values = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return "life \(life) \(values.joined(separator: " "))"
  }
}

/// The last four digits of a number or mark.
func shortened(_ number: UInt64) -> String { String(number % 10_000) }

extension GlobalID: CustomStringConvertible {
  package var description: String { "\(shortened(number))/\(id)" }
}

extension Fields: CustomStringConvertible {
  package var description: String {
    list.map { field in
      switch field.value {
      case .value(let value): "\(field.property)=\(value)"
      case .reference(let id): "\(field.property)→\(id)"
      }
    }.joined(separator: " ")
  }
}

extension Effect: CustomStringConvertible {
  package var description: String {
    switch self {
    case .put(let key, let life, let fields, let isWhole):
      "\(isWhole ? "whole" : "bits") \(key.entity):\(key.id) life \(life) \(fields)"
    case .pairs(let key, let pairs):
      "pairs \(key.entity):\(key.id) \(pairs.map { "\($0.relation)→\($0.target)" })"
    case .remove(let key, let life): "remove \(key.entity):\(key.id) life \(life)"
    case .forget(let key, let life): "forget \(key.entity):\(key.id) life \(life)"
    case .link(let pair): "link \(pair.relation) \(pair.source)→\(pair.target)"
    case .unlink(let pair): "unlink \(pair.relation) \(pair.source)→\(pair.target)"
    }
  }
}

/// A message in one line.
func text(_ message: SyncMessage) -> String {
  switch message {
  case .login(let login):
    let numbers = login.numbers.map { declaration in
      "\(shortened(declaration.number)) from \(declaration.first): "
        + declaration.marks.map { "\($0.n)=\(shortened($0.mark))" }.joined(separator: ",")
    }
    return "login at \(login.position) \(login.variables.values) \(numbers)"
  case .welcome(let welcome):
    let rows = welcome.rows.map { row in
      "\(shortened(row.number)) last \(row.last): "
        + row.fates.map { "\($0.n)=\(shortened($0.mark)) \($0.code)" }.joined(separator: ",")
    }
    return "welcome \(welcome.plan) head \(welcome.head) \(rows)"
  case .model(let model): return model == nil ? "model?" : "model"
  case .changes(let list):
    return "changes "
      + list.map { "(\(shortened($0.number)),\($0.n))=\(shortened($0.mark))" }.joined(
        separator: " ")
  case .entries(let entries):
    return "entries \(entries.from)...\(entries.to)"
      + entries.list.map { entry in
        "\n    \(entry.position) (\(shortened(entry.number)),\(entry.n))=\(entry.mark.map(shortened) ?? "-")"
          + " \(entry.code) \(entry.effects.map { "\($0)" } ?? "own")"
      }.joined()
  case .page(let effects): return "page \(effects)"
  default: return "\(message)"
  }
}
