import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The law of constants: a property that is not optional has a value in every object, in every version, and every
/// question about it is answered by that value.
struct ConstantLawTests {
  /// A property as an app of a version declares it.
  private struct Declaration {
    var name: String
    var type: PropertyType
    var flags: PropertyFlags
    /// The value of older objects; nil for an optional property.
    var constant: Value?

    var withoutConstant: Declaration {
      var declaration = self
      declaration.constant = nil
      return declaration
    }
  }

  private static let types: [(PropertyType, PropertyFlags)] = [
    (.long, []), (.int, .unsigned), (.bool, []), (.double, []), (.float, []), (.string, []),
    (.byteVector, []), (.intVector, []), (.stringVector, []), (.date, []), (.short, []),
  ]

  private static func uid(_ position: Int) -> UID { UID(500 + position) }

  private static func value(
    _ type: PropertyType, _ flags: PropertyFlags, _ random: inout SplitMix64
  )
    -> Value
  {
    let number = Int64(random.below(4))
    return switch type {
    case .bool: .bool(number > 1)
    case .double: random.oneIn(6) ? .double(.nan) : .double(Double(number) - 1.5)
    case .float: .float(Float(number))
    case .string: .string(String(repeating: "ä", count: Int(number)))
    case .byteVector: .bytes((0..<UInt8(number)).map { $0 })
    case .intVector: .integers((0..<number).map { $0 })
    case .stringVector: .strings((0..<number).map { "\($0)" })
    default: flags.contains(.unsigned) ? .unsigned(UInt64(number)) : .integer(number - 1)
    }
  }

  private static func isEqual(_ a: Value?, _ b: Value) -> Bool {
    if case .double(let x)? = a, case .double(let y) = b { return x == y || x.isNaN && y.isNaN }
    return a == b
  }

  private static func version(_ random: inout SplitMix64) -> [Int: Declaration] {
    var version: [Int: Declaration] = [:]
    for (position, (type, flags)) in types.enumerated() where !random.oneIn(4) {
      var flags = flags
      let isReference = SlotType(type, flags)?.isReference ?? true
      if !isReference || type == .string, random.oneIn(2) {
        flags.insert(
          type == .string ? random.pick([.indexed, .indexHash, .indexHash64]) : .indexed)
        if type != .string, random.oneIn(4) { flags.insert(.indexPartialSkipZero) }
      }
      var declaration = Declaration(name: "p\(position)", type: type, flags: flags)
      if random.oneIn(3) { declaration.name = "renamed\(position)" }
      version[position] = declaration
    }
    return redeclared(version, &random)
  }

  /// The same properties, optional or not.
  private static func redeclared(
    _ version: [Int: Declaration], _ random: inout SplitMix64
  ) -> [Int: Declaration] {
    var result = version
    for (position, declaration) in version.sorted(by: { $0.key < $1.key }) {
      result[position]?.constant =
        if random.oneIn(3) {
          nil
        } else {
          random.oneIn(3) ? .null : value(declaration.type, declaration.flags, &random)
        }
    }
    return result
  }

  /// The constants as bindings give them.
  private static func constants(_ version: [Int: Declaration]) -> [UID: Value] {
    Dictionary(
      uniqueKeysWithValues: version.compactMap { position, declaration in
        declaration.constant.map { (uid(position), $0) }
      })
  }

  private static func document(_ version: [Int: Declaration]) throws -> ModelDocument {
    let fields = version.sorted { $0.key < $1.key }.map {
      TestModel.Property(
        name: $1.name, type: $1.type, flags: $1.flags, uid: uid($0))
    }
    return try TestModel(.init(name: "A", uid: 100, fields: fields)).document()
  }

  @Test func everyQuestionEqualsAFilterOverAllObjects() throws {
    var random = TestSeed.next()
    let histories = TestSeed.count("BOXJOINT_SOAK_CONSTANTS", default: 500)
    var (formats, answers) = ([1: 0, 2: 0], 0)
    for _ in 0..<histories {
      let fixture = try StoreFixture()
      var world = World()
      for _ in 0..<2 + random.below(5) {
        var version = Self.version(&random)
        var options = StoreOptions()
        options.acceptsRegeneratedModel = true
        if random.oneIn(5) {
          // A program with the model alone: it gives no constants, and may leave every value out.
          version = version.mapValues { $0.withoutConstant }
        } else {
          options.constants = Self.constants(version)
          try world.open(version)
        }
        try fixture.with(try Self.document(version), options) { (store) throws in
          answers += try Self.check(store, version, world, &random)
          try store.write { transaction in
            for _ in 0..<random.below(4) { try world.put(transaction, version, &random) }
          }
          answers += try Self.check(store, version, world, &random)
          let findings = try store.verify()
          #expect(findings.isEmpty, "\(findings.map(\.message))")
          formats[store.schema.catalog.features.isEmpty ? 1 : 2, default: 0] += 1
        }
        if random.oneIn(3) {
          let purges = random.oneIn(2)
          try ObjectStore.compact(fixture.path, purge: purges)
          if purges { world.purge(version) }
        }
        if random.oneIn(6) {
          // The model stays, and which properties are optional may change with it.
          let declared = random.oneIn(2) ? Self.redeclared(version, &random) : nil
          try Self.rebuild(fixture, try Self.document(version), declared.map(Self.constants))
          world.rebuild(version)
          if let declared { try world.open(declared) }
        }
      }
    }
    print("\(histories) histories: formats \(formats), \(answers) answers")
    #expect(formats[1, default: 0] > 0 && formats[2, default: 0] > 0)
  }

  /// Builds the store again, as a heavy migration does.
  private static func rebuild(
    _ fixture: StoreFixture, _ document: ModelDocument, _ constants: [UID: Value]?
  ) throws {
    var session = RebuildSession(fixture.path)
    try session.rebuild(model: document, constants: constants, declarations: nil) { old, new in
      try old.read { reading in
        try new.write { writing in
          let (from, to) = (try old.entity(named: "A"), try new.entity(named: "A"))
          try reading.visitObjects(from) { object in
            // Nothing is removed here, so the ids are the same.
            var copy = DynamicObject(to)
            for property in to.properties where !property.flags.contains(.id) {
              copy[property.name] = object[property.name] ?? .null
            }
            try writing.put(copy)
            return .next
          }
        }
      }
    }
  }

  /// The objects as people know them: the values that were put, and those that programs gave to the others.
  private struct World {
    var objects: [UInt64: [Int: Value]] = [:]
    /// The constants by property.
    var constants: [Int: Value] = [:]

    func value(_ id: UInt64, _ position: Int) -> Value? {
      objects[id]?[position] ?? constants[position]
    }

    /// A property that is not optional has a value in all objects: that of the first program that said so since it was
    /// optional.
    mutating func open(_ version: [Int: Declaration]) throws {
      for (position, declaration) in version {
        guard let constant = declaration.constant else {
          constants[position] = nil
          continue
        }
        let isMissing = objects.values.contains { $0[position] == nil }
        if isMissing, constants[position] == nil {
          let type = try #require(SlotType(declaration.type, declaration.flags))
          constants[position] = constant == .null ? .zero(of: type) : constant
        }
      }
    }

    /// A purge removes what the version lacks.
    mutating func purge(_ version: [Int: Declaration]) {
      for id in objects.keys { objects[id] = objects[id]?.filter { version[$0.key] != nil } }
      constants = constants.filter { version[$0.key] != nil }
    }

    /// A store that is built again has all values of its version in the objects, and the constants.
    mutating func rebuild(_ version: [Int: Declaration]) {
      for id in objects.keys {
        objects[id] = Dictionary(
          uniqueKeysWithValues: version.keys.compactMap { position in
            value(id, position).map { (position, $0) }
          })
      }
      constants = constants.filter { version[$0.key] != nil }
    }

    mutating func put(
      _ transaction: Transaction, _ version: [Int: Declaration], _ random: inout SplitMix64
    ) throws {
      let known = objects.keys.sorted()
      let id = known.isEmpty || random.oneIn(2) ? 0 : random.pick(known)
      var object = DynamicObject(try transaction.store.entity(named: "A"), id: id)
      var values = objects[id] ?? [:]
      for (position, declaration) in version {
        values[position] = nil
        if declaration.constant == nil, random.oneIn(2) { continue }
        let value = ConstantLawTests.value(declaration.type, declaration.flags, &random)
        values[position] = value
        object[declaration.name] = value
      }
      objects[try transaction.put(object)] = values
    }
  }

  /// Asks everything, and compares.
  ///
  /// - Returns: The number of answers.
  private static func check(
    _ store: ObjectStore, _ version: [Int: Declaration], _ world: World,
    _ random: inout SplitMix64
  ) throws -> Int {
    let entity = try store.entity(named: "A")
    let ids = world.objects.keys.sorted()
    var answers = 0
    func inTransaction(_ body: (Transaction) throws -> Void) throws {
      if random.oneIn(2) { try store.read(body) } else { try store.write(body) }
    }
    try inTransaction { transaction in
      for (position, declaration) in version {
        for id in ids {
          let object = try #require(try transaction.get(entity, id))
          let (found, expected) = (object[declaration.name], world.value(id, position))
          #expect(isEqual(found, expected ?? .null), "\(declaration), object \(id)")
          #expect(declaration.constant == nil || found != .null, "\(declaration) is null")
          answers += 1
        }
        let name = Condition.PropertyName(declaration.name)
        func ask(_ condition: Condition, _ holds: (Value?) -> Bool) throws {
          let query = try store.prepare(StoreQuery(entity, condition))
          let found = try transaction.ids(query)
          #expect(
            found == ids.filter { holds(world.value($0, position)) }, "\(declaration): \(condition)"
          )
          answers += 1
        }
        try ask(.isNull(name)) { $0 == nil }
        try ask(.isNotNull(name)) { $0 != nil }
        let other = Self.value(declaration.type, declaration.flags, &random)
        guard let literal = Self.literal(other) else { continue }
        try ask(.compare(name, .equal, literal)) { isEqual($0, other) }
        try ask(.not(.compare(name, .equal, literal))) { !isEqual($0, other) }
        try ask(.compare(name, .notEqual, literal)) { $0 != nil && !isEqual($0, other) }
        let order = try store.prepare(
          StoreQuery(entity, order: [QueryOrder(declaration.name)]))
        let sorted = try transaction.ids(order)
        let expected = ids.sorted { a, b in
          let (x, y) = (world.value(a, position), world.value(b, position))
          return (rank(x), a) < (rank(y), b)
        }
        #expect(sorted == expected, "the order by \(declaration)")
        answers += 1
      }
    }
    return answers
  }

  /// The place of a value among the few that the law uses.
  private static func rank(_ value: Value?) -> Double {
    switch value {
    case .bool(let bool): bool ? 1 : 0
    case .integer(let integer): Double(integer)
    case .unsigned(let integer): Double(integer)
    case .float(let number): Double(number)
    case .double(let number): number.isNaN ? .infinity : number
    case .string(let text): Double(text.utf8.count)
    case .bytes(let bytes): Double(bytes.count)
    default: -.infinity
    }
  }

  private static func literal(_ value: Value) -> Condition.Literal? {
    switch value {
    case .bool(let bool): .bool(bool)
    case .integer(let integer): .integer(integer)
    case .unsigned(let integer): .integer(Int64(integer))
    case .float(let number): .number(Double(number))
    case .double(let number): number.isNaN ? nil : .number(number)
    case .string(let text): .string(text)
    default: nil
    }
  }
}
