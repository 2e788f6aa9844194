import BoxModel
import TestSupport

/// A schema that the tests make up, and its Swift sources in random spellings.
struct RandomSchema {
  enum Form: Equatable {
    case value(Int)
    case number(isOptional: Bool)
    case word(isOptional: Bool)
    case money(isOptional: Bool)
    case toOne(Int)
  }

  struct Field {
    /// The name in Swift, with its backticks.
    var name: String
    var form: Form
    var isOptional = false
    var flags: PropertyFlags = []
    var stored: String { name.filter { $0 != "`" } }
  }

  struct Collection {
    var name: String
    var target: Int
    /// The field of the target that leads back.
    var backlink: String?
  }

  struct Entity {
    var name: String
    /// The path of the type.
    var path: String
    var isStruct: Bool
    /// 0: Id, 1: EntityId, 2: UInt64, 3: Int64.
    var idKind: Int
    var idName: String
    var isAnnotated: Bool
    var fields: [Field] = []
    var collections: [Collection] = []
  }

  var entities: [Entity] = []

  struct ValueType {
    var swift: String
    var stored: PropertyType
    var isUnsigned = false
    var canBeIndexed = false
    /// An expression of a random value in the program.
    var expression: String
    /// Whether a query can compare a property with a value; floating-point numbers have no `==`.
    var isComparable: Bool {
      [.bool, .string, .date].contains(stored) || [.byte, .short, .int, .long].contains(stored)
    }
  }

  private static let integers: [ValueType] = [
    ("Int8", PropertyType.byte), ("UInt8", .byte), ("Int16", .short), ("UInt16", .short),
    ("Int32", .int), ("UInt32", .int), ("Int64", .long), ("UInt64", .long), ("Int", .long),
    ("UInt", .long),
  ].map { name, type in
    ValueType(
      swift: name, stored: type, isUnsigned: name.hasPrefix("U"), canBeIndexed: true,
      expression: "\(name)(truncatingIfNeeded: r.next())")
  }

  private static let vectors: [ValueType] = [
    ("Int16", PropertyType.shortVector), ("UInt16", .shortVector), ("Int32", .intVector),
    ("UInt32", .intVector), ("Int64", .longVector), ("UInt64", .longVector),
  ].map { name, type in
    ValueType(
      swift: "[\(name)]", stored: type, isUnsigned: false,
      expression: "r.list { \(name)(truncatingIfNeeded: $0.next()) }")
  }

  static let types: [ValueType] =
    integers + vectors + [
      ValueType(
        swift: "Bool", stored: .bool, canBeIndexed: true, expression: "r.below(2) == 0"),
      ValueType(swift: "Float", stored: .float, expression: "Float(r.below(9999)) / 8"),
      ValueType(swift: "Double", stored: .double, expression: "Double(r.below(9999)) / 8"),
      ValueType(swift: "TimeInterval", stored: .double, expression: "Double(r.below(99)) / 4"),
      ValueType(swift: "String", stored: .string, canBeIndexed: true, expression: "r.text()"),
      ValueType(
        swift: "Date", stored: .date, canBeIndexed: true,
        expression: "Date(timeIntervalSince1970: Double(r.below(1 << 40)) / 1000)"),
      ValueType(swift: "Data", stored: .byteVector, expression: "Data(r.bytes())"),
      ValueType(swift: "[UInt8]", stored: .byteVector, expression: "r.bytes()"),
      ValueType(swift: "[Bool]", stored: .boolVector, expression: "r.list { $0.below(2) == 0 }"),
      ValueType(
        swift: "[Float]", stored: .floatVector, expression: "r.list { Float($0.below(99)) / 4 }"),
      ValueType(
        swift: "[Double]", stored: .doubleVector, expression: "r.list { Double($0.below(99)) / 4 }"),
      ValueType(swift: "[String]", stored: .stringVector, expression: "r.list { $0.text() }"),
    ]

  private static let words = [
    "title", "größe", "名前", "naïve", "x", "value", "entity", "store", "propertyId", "`class`",
    "`default`", "`in`", "`func`", "`switch`", "`where`", "`self`", "`init`", "`Type`", "_private",
    "entityReader", "count", "hashValue", "E", "always", "always2",
  ]

  init(_ random: inout SplitMix64, fieldCount: Int = 9) {
    for e in 0..<1 + random.below(4) {
      let name = "\(random.pick(["Book", "Größe", "Node", "名", "Item_"]))\(e)"
      let isNested = random.oneIn(4)
      entities.append(
        Entity(
          name: name, path: isNested ? "Space.\(name)" : name, isStruct: random.oneIn(3),
          idKind: random.below(4), idName: random.oneIn(3) ? "key" : "id",
          isAnnotated: random.oneIn(2)))
    }
    for e in entities.indices {
      var names = Set(["id", "key"])
      for _ in 0..<random.below(fieldCount) { addField(to: e, &names, &random) }
      for _ in 0..<random.below(3) where !random.oneIn(3) {
        guard let name = Self.name(&names, &random) else { continue }
        entities[e].collections.append(
          Collection(name: name, target: random.below(entities.count)))
      }
    }
    addBacklinks(&random)
  }

  private static func name(_ names: inout Set<String>, _ random: inout SplitMix64) -> String? {
    let word = random.pick(words)
    let name = word.hasPrefix("`") || random.oneIn(2) ? word : word + "\(random.below(50))"
    return names.insert(name.filter { $0 != "`" }.lowercased()).inserted ? name : nil
  }

  private mutating func addField(
    to e: Int, _ names: inout Set<String>, _ random: inout SplitMix64
  ) {
    guard let name = Self.name(&names, &random) else { return }
    let isOptional = random.oneIn(3)
    var field = Field(name: name, form: .value(random.below(Self.types.count)))
    switch random.below(9) {
    case 0: field.form = .number(isOptional: isOptional)
    case 1: field.form = .word(isOptional: isOptional)
    case 2: field.form = .money(isOptional: isOptional)
    case 3:
      field.form = .toOne(random.below(entities.count))
      field.flags = [.indexed, .indexPartialSkipZero]
    default:
      guard case .value(let number) = field.form else { break }
      let type = Self.types[number]
      field.isOptional = isOptional
      if type.isUnsigned { field.flags.insert(.unsigned) }
      if type.canBeIndexed, random.oneIn(3) {
        let isText = type.stored == .string
        field.flags.insert(.indexed)
        if isText { field.flags.formUnion(random.pick([[], .indexHash, .indexHash64])) }
      }
    }
    entities[e].fields.append(field)
  }

  private mutating func addBacklinks(_ random: inout SplitMix64) {
    for e in entities.indices {
      for field in entities[e].fields {
        guard case .toOne(let target) = field.form, random.oneIn(2) else { continue }
        entities[target].collections.append(
          Collection(name: "back\(e)_\(field.stored)", target: e, backlink: field.stored))
      }
    }
  }

  // MARK: - Sources

  /// The sources, one file or several.
  func sources(_ random: inout SplitMix64) -> [String: String] {
    var files = ["Support.swift": Self.support]
    for (e, entity) in entities.enumerated() {
      let file = random.oneIn(2) ? "Entities.swift" : "File\(e).swift"
      files[file, default: Self.imports] += text(of: entity, &random)
    }
    return files
  }

  static let imports = """
    import BoxStore
    #if canImport(FoundationEssentials)
      import FoundationEssentials
    #else
      import Foundation
    #endif


    """

  static let support =
    imports + """
      enum Space {}
      enum Number: Int, CaseIterable { case none = 0, one = 1, many = 100, negative = -5 }
      typealias Count = Number
      enum Word: String, CaseIterable { case empty = "", a = "ä", long = "a longer one" }
      struct Money: Equatable { var cents: Int }
      enum MoneyConverter {
        static func convert(_ money: Money) -> Int { money.cents }
        static func convert(_ cents: Int) -> Money { Money(cents: cents) }
      }
      enum OptionalMoneyConverter {
        static func convert(_ money: Money?) -> Int? { money?.cents }
        static func convert(_ cents: Int?) -> Money? { cents.map { Money(cents: $0) } }
      }

      """

  private func text(of entity: Entity, _ random: inout SplitMix64) -> String {
    var lines: [String] = []
    let isExtended = !entity.isAnnotated && random.oneIn(4)
    if entity.isAnnotated {
      lines.append(
        random.pick(["// objectbox: entity", "//objectbox:entity", "/// objectbox: Entity"]))
    }
    let kind = entity.isStruct ? "struct" : random.pick(["final class", "class"])
    let entityName = random.pick(["Entity", "ObjectBox.Entity", "BoxStore.Entity"])
    lines.append(
      "\(kind) \(entity.name)\(isExtended || entity.isAnnotated ? "" : ": \(entityName)") {")
    let idType = ["Id", "EntityId<\(entity.path)>", "UInt64", "Int64"][entity.idKind]
    if entity.idKind > 1 { lines.append("  // objectbox: id") }
    lines.append("  var \(entity.idName): \(idType)\(entity.isStruct ? "" : " = 0")")
    for field in entity.fields { lines += self.lines(of: field, entity, &random) }
    for collection in entity.collections {
      if let back = collection.backlink {
        lines.append("  // objectbox: backlink = \(random.oneIn(2) ? "\"\(back)\"" : back)")
      }
      lines.append("  var \(collection.name): ToMany<\(entities[collection.target].path)> = nil")
    }
    if random.oneIn(2) {
      lines += ["  var computed: Int { 1 }", "  static let constant = 2"]
      if !entity.isStruct {
        lines += ["  lazy var cache = [1: 2]", "  // objectbox: transient", "  var left = [1: 2]"]
      }
    }
    if !entity.isStruct { lines.append("  required init() {}") }
    lines.append("}")
    if entity.path != entity.name { lines = ["extension Space {"] + lines + ["}"] }
    if isExtended { lines.append("extension \(entity.path): \(entityName) {}") }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private func lines(
    of field: Field, _ entity: Entity, _ random: inout SplitMix64
  ) -> [String] {
    let none = entity.isStruct ? "" : " = nil"
    func optional(_ type: String) -> String {
      random.pick(["\(type)?", "Optional<\(type)>", "Swift.Optional<\(type)>"])
    }
    switch field.form {
    case .toOne(let target):
      return ["  var \(field.name): ToOne<\(entities[target].path)> = nil"]
    case .number(let isOptional):
      let type = random.pick(["Number", "Count"])
      return isOptional
        ? ["  // objectbox: convert", "  var \(field.name): \(optional(type))\(none)"]
        : [
          "  // objectbox: convert = { \"default\": \".none\" }",
          "  var \(field.name): \(type)\(entity.isStruct ? "" : " = .one")",
        ]
    case .word(let isOptional):
      return isOptional
        ? ["  // objectbox: convert", "  var \(field.name): \(optional("Word"))\(none)"]
        : [
          "  // objectbox: convert = { dbType: String, default: \".empty\" }",
          "  var \(field.name)\(entity.isStruct ? ": Word" : " = Word.a")",
        ]
    case .money(let isOptional):
      let converter = isOptional ? "OptionalMoneyConverter" : "MoneyConverter"
      return [
        "  // objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"\(converter)\" }",
        "  var \(field.name): "
          + (isOptional
            ? optional("Money") + none
            : "Money\(entity.isStruct ? "" : " = Money(cents: 0)")"),
      ]
    case .value(let number):
      let type = Self.types[number]
      var lines: [String] = []
      if !field.flags.isDisjoint(with: .indexKind) {
        let isText = type.stored == .string
        let kind =
          field.flags.contains(.indexHash64)
          ? "hash64" : field.flags.contains(.indexHash) ? "hash" : "value"
        let isUsual = !isText || kind == "hash"
        lines.append(
          isUsual && random.oneIn(2)
            ? "  // objectbox: index"
            : random.pick(["  // objectbox:index = \(kind)", "  // objectbox: index = \"\(kind)\""])
        )
      }
      var name = type.swift
      if name.hasPrefix("["), random.oneIn(3) { name = "Array<\(name.dropFirst().dropLast())>" }
      if field.isOptional {
        lines.append("  var \(field.name): \(optional(name))\(none)")
      } else if entity.isStruct {
        lines.append("  var \(field.name): \(name)")
      } else {
        lines.append("  var \(field.name): \(name) = \(Self.initial(type))")
      }
      return lines
    }
  }

  static func initial(_ type: ValueType) -> String {
    switch type.swift {
    case "Bool": "false"
    case "String": "\"\""
    case "Date", "Data": type.swift + "()"
    case _ where type.swift.hasPrefix("["): "[]"
    default: "0"
    }
  }
}
