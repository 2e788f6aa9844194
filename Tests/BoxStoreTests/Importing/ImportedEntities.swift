import BoxStore

/// An error of a source.
struct BadSource: Error, Equatable {
  let what: String
}

/// The number of times that a type was asked about a source that has it as `asked`.
final class AskCount {
  private(set) var count = 0

  static func note(_ source: [String: Any]) { (source["asked"] as? AskCount)?.count += 1 }
}

/// A source of JSON.
struct CustomerSource: Codable {
  var name: String
  var orders: [String] = []
}

extension Customer: Importable {
  static func shouldInsert(from source: CustomerSource, in transaction: Transaction) -> Bool {
    source.name != "nobody"
  }

  convenience init(importing source: CustomerSource, in transaction: Transaction) throws {
    if source.name.isEmpty { throw BadSource(what: "name") }
    self.init(source.name)
    for summary in source.orders { orders.append(Order(summary)) }
  }
}

/// Books are known by their ISBN; a source can refuse, and fail.
extension Book: UniquelyImportable {
  static var uniqueIDProperty: Property<Book, String?, Void> { Book.isbn }

  static func uniqueID(from source: [String: Any], in transaction: Transaction) throws -> String? {
    if source["fail"] as? String == "id" { throw BadSource(what: "id") }
    return source["isbn"] as? String
  }

  static func shouldInsert(from source: [String: Any], in transaction: Transaction) -> Bool {
    AskCount.note(source)
    return (source["insert"] as? Bool) ?? true
  }

  static func shouldUpdate(from source: [String: Any], in transaction: Transaction) -> Bool {
    AskCount.note(source)
    return (source["update"] as? Bool) ?? true
  }

  convenience init(importing source: [String: Any], in transaction: Transaction) throws {
    self.init()
    try read(source, in: transaction)
  }

  func update(from source: [String: Any], in transaction: Transaction) throws {
    try read(source, in: transaction)
  }

  private func read(_ source: [String: Any], in transaction: Transaction) throws {
    if source["fail"] as? String == "read" { throw BadSource(what: "read") }
    var fields = ImportFields(source)
    isbn = source["unset"] == nil ? fields.required("isbn", or: "") : "other"
    title = fields.required("title", or: "")
    price = fields.optional("price") ?? price
    published = fields.optional("published")
    genre = fields.optional("genre") ?? .unknown
    try fields.requireNoFaults()
    if let sequel = source["sequel"] as? [String: Any] {
      related.replace(
        [try transaction.importUniqueObject(Book.self, from: sequel)].compactMap(\.self))
    }
  }
}

extension Genre: ImportableValue {}

/// Settings are known by their keys, which can be missing.
extension Setting: UniquelyImportable {
  static var uniqueIDProperty: Property<Setting, String?, Void> { Setting.key }

  static func uniqueID(from source: SettingSource, in transaction: Transaction) -> String? {
    source.key
  }

  convenience init(importing source: SettingSource, in transaction: Transaction) {
    self.init(source.key, source.count)
  }

  func update(from source: SettingSource, in transaction: Transaction) { count = source.count }
}

/// A source of JSON.
struct SettingSource: Codable {
  var key: String?
  var count: Int32
}
