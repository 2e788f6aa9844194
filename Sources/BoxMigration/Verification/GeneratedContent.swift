internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// Values of objects and ends of links, by UID.
struct StoredContent: Hashable {
  struct Link: Hashable {
    var source: UInt64
    var target: UInt64
  }

  var objects: [UID: [UInt64: [UID: Value]]] = [:]
  var links: [UID: Set<Link>] = [:]

  init() {}

  /// Reads everything in a store, which gets declarations if there are any.
  init(
    _ directory: String, _ document: ModelDocument, _ declarations: Declarations? = nil
  ) throws {
    var options = StoreOptions()
    options.declarations = declarations
    let store = try ObjectStore.open(.directory(directory), model: document, options: options)
    defer { store.close() }
    try store.read { transaction in
      for entity in store.entities {
        var all: [UInt64: [UID: Value]] = [:]
        try transaction.visitObjects(entity) { object in
          var values: [UID: Value] = [:]
          for (position, property) in entity.properties.enumerated()
          where position != entity.idPosition {
            values[property.uid] = object.values[position]
          }
          all[object.id] = values
          return .next
        }
        objects[entity.uid] = all
        for relation in entity.relations {
          var found: Set<Link> = []
          for id in all.keys {
            for target in try transaction.targets(relation, of: id) {
              found.insert(Link(source: id, target: target))
            }
          }
          links[relation.uid] = found
        }
      }
    }
  }
}

extension StoredContent {
  /// The content of one element; unless it is kept, the content as if its data were freed.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - entity: The entity of the element; nil for a property that no entity has.
  ///   - isKept: Whether its data is kept.
  /// - Returns: The content of the element alone.
  /// - Complexity: O(*n*) in the objects of the entity.
  func part(_ element: ElementKey, of entity: UID?, isKept: Bool) -> StoredContent {
    var part = StoredContent()
    switch element.kind {
    case .entity: part.objects[element.uid] = isKept ? objects[element.uid] ?? [:] : [:]
    case .property:
      guard let entity, let all = objects[entity] else { break }
      let values = all.compactMapValues { $0[element.uid] }
      if values.isEmpty { break }
      part.objects[entity] = values.mapValues { [element.uid: isKept ? $0 : .null] }
    case .relation: part.links[element.uid] = isKept ? links[element.uid] ?? [] : []
    case .index: break
    }
    return part
  }
}

extension StoredContent {
  /// Leaves out what one of the models of the steps in between lacks, and other elements.
  ///
  /// - Parameters:
  ///   - models: The models of the steps in between.
  ///   - leftOut: The UIDs of entities, properties and relations to leave out.
  /// - Complexity: O(*n*) in the values, for each model.
  mutating func keep(inAll models: [Model], except leftOut: Set<UID>) {
    let known = models.map { model in
      var uids: Set<UID> = []
      model.forEachElement { _, pair in uids.insert(pair.uid) }
      return uids
    }
    func isKept(_ uid: UID) -> Bool {
      !leftOut.contains(uid) && known.allSatisfy { $0.contains(uid) }
    }
    objects = objects.filter { isKept($0.key) }
      .mapValues { all in all.mapValues { values in values.filter { isKept($0.key) } } }
    links = links.filter { isKept($0.key) }
  }
}

extension StoredContent {
  /// Whether both have the same objects and links, with the same bits: NaN is what it was, too.
  func isIdentical(to other: StoredContent) -> Bool {
    links == other.links && objects.count == other.objects.count
      && objects.allSatisfy { entity, all in
        guard let others = other.objects[entity], others.count == all.count else { return false }
        return all.allSatisfy { id, values in
          guard let theirs = others[id], theirs.count == values.count else { return false }
          return values.allSatisfy { theirs[$0.key]?.isIdentical(to: $0.value) ?? false }
        }
      }
  }
}

/// The content that was put into a store of an old model, and what openings with other models make of it.
struct GeneratedContent {
  private var content = StoredContent()
  /// The values that objects without one have, by the UID of the property.
  private var constants: [UID: Value] = [:]

  /// The content that a store has already.
  init(_ content: StoredContent) { self.content = content }

  /// Creates a store, and puts the given number of objects of each entity, and links between them.
  ///
  /// As bindings do, it gives every object values for the properties that have a constant.
  init(
    _ document: ModelDocument, _ declarations: Declarations?, _ constants: [UID: Value]? = nil,
    objects count: Int, in directory: String
  ) throws {
    var options = StoreOptions()
    options.declarations = declarations
    options.constants = constants
    let store = try ObjectStore.open(.directory(directory), model: document, options: options)
    defer { store.close() }
    var content = StoredContent()
    try store.write { transaction in
      for entity in store.entities {
        var all: [UInt64: [UID: Value]] = [:]
        for number in 0..<count {
          var object = DynamicObject(entity)
          if entity.hasAssignableIDs { object.id = UInt64(number + 1) }
          var values: [UID: Value] = [:]
          for (position, property) in entity.properties.enumerated()
          where position != entity.idPosition {
            let isOptional = constants?[property.uid] == nil
            let value = Self.value(property, number, of: count, isOptional: isOptional)
            object.values[position] = value
            values[property.uid] = value
          }
          all[try transaction.put(object)] = values
        }
        content.objects[entity.uid] = all
      }
      for relation in store.entities.flatMap(\.relations) {
        var links: Set<StoredContent.Link> = []
        // If the file does not state the target, there are no objects to link.
        for number in 0..<(store.entity(relation.target) == nil ? 0 : count) {
          let link = StoredContent.Link(
            source: UInt64(number + 1), target: UInt64((number * 7) % count + 1))
          try transaction.link(relation, link.source, link.target)
          links.insert(link)
        }
        content.links[relation.uid] = links
      }
    }
    self.content = content
    open(with: document.model, constants)
  }

  /// A value of a property: another one for each number, and null for some where that is allowed.
  ///
  /// All numbers are below 128, so that every type of number has them.
  private static func value(
    _ property: PropertySchema, _ number: Int, of count: Int, isOptional: Bool
  ) -> Value {
    if number % 5 == 4 && isOptional { return .null }
    if property.target != nil { return .unsigned(UInt64((number * 3) % count + 1)) }
    let small = number + 1
    let traits = property.type.traits
    return switch (traits.form, traits.isVector) {
    case (.bool, false):
      property.index?.isUnique == true && number > 1 ? .null : .bool(number == 1)
    case (.bool, true): .bools([true, number % 2 == 0])
    case (.integer, false): traits.isUnsigned ? .unsigned(UInt64(small)) : .integer(Int64(small))
    case (.integer, true):
      traits.isUnsigned ? .unsignedIntegers([UInt64(small), 0]) : .integers([Int64(small), -1])
    case (.float, false): .float(Float(small))
    case (.float, true): .floats([Float(small), 0.5])
    case (.double, false): .double(Double(small))
    case (.double, true): .doubles([Double(small), 0.5])
    case (.string, false): .string("text \(small)")
    case (.string, true): .strings(["\(small)", ""])
    case (.bytes, _): .bytes([UInt8(small), 0, 255])
    }
  }

  // MARK: - Openings

  /// Adds an opening of the store with a model, or a step of a migration to it.
  ///
  /// Objects without a value have the one that the first opening gives, until an opening gives none. A step that builds
  /// the store again writes it into the objects.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - given: The values of properties that are not optional in objects without one; null for zero, false or empty.
  ///     Nil for an opening with a model alone.
  ///   - isBuiltAgain: Whether the step builds the store again.
  mutating func open(with model: Model, _ given: [UID: Value]?, isBuiltAgain: Bool = false) {
    if isBuiltAgain { writeConstants(model, given) }
    guard let given else { return }
    for property in model.entities.flatMap(\.properties) {
      let uid = property.pair.uid
      guard let value = given[uid] else {
        constants[uid] = nil
        continue
      }
      if constants[uid] != nil { continue }
      constants[uid] =
        value == .null
        ? property.type.flatMap { SlotType($0, property.flags)?.emptyValue } : value
    }
  }

  /// Gives the objects the values that they lack, unless the property has become optional, and forgets the values of
  /// properties that the model lacks.
  private mutating func writeConstants(_ model: Model, _ given: [UID: Value]?) {
    var kept: [UID: Value] = [:]
    for entity in model.entities {
      for property in entity.properties {
        let uid = property.pair.uid
        guard let constant = constants[uid] else { continue }
        kept[uid] = constant
        if let given, given[uid] == nil { continue }
        let ids = (content.objects[entity.pair.uid] ?? [:]).filter {
          ($0.value[uid] ?? .null) == .null
        }
        for id in ids.keys { content.objects[entity.pair.uid]?[id]?[uid] = constant }
      }
    }
    constants = kept
  }

  /// The content that a store with a model must show.
  ///
  /// Elements that have their UID in the same place keep their content; everything else is null or empty, or what the
  /// openings gave.
  func expected(in model: Model) -> StoredContent {
    var result = StoredContent()
    for entity in model.entities {
      var all: [UInt64: [UID: Value]] = [:]
      for (id, values) in content.objects[entity.pair.uid] ?? [:] {
        var kept: [UID: Value] = [:]
        for property in entity.properties where !property.flags.contains(.id) {
          let value = values[property.pair.uid] ?? .null
          kept[property.pair.uid] = value == .null ? constants[property.pair.uid] ?? value : value
        }
        all[id] = kept
      }
      result.objects[entity.pair.uid] = all
      for relation in entity.relations ?? [] {
        result.links[relation.pair.uid] = content.links[relation.pair.uid] ?? []
      }
    }
    return result
  }
}

extension SlotType {
  /// Zero, false, or what has no elements, as the documentation describes the constant of a property without an
  /// initial value.
  fileprivate var emptyValue: Value {
    switch self {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .integer(0)
    case .uint8, .uint16, .uint32, .uint64: .unsigned(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .bytes: .bytes([])
    case .bools: .bools([])
    case .int16s, .int32s, .int64s: .integers([])
    case .uint16s, .uint32s, .uint64s: .unsignedIntegers([])
    case .floats: .floats([])
    case .doubles: .doubles([])
    case .strings: .strings([])
    }
  }
}
