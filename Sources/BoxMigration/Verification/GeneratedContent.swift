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

/// The content that was put into a store of an old model.
struct GeneratedContent {
  private var content = StoredContent()

  /// Creates a store, and puts the given number of objects of each entity, and links between them.
  init(
    _ document: ModelDocument, _ declarations: Declarations?, objects count: Int,
    in directory: String
  ) throws {
    var options = StoreOptions()
    options.declarations = declarations
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
            let value = Self.value(property, number, of: count)
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
  }

  /// A value of a property: another one for each number, and null for some where that is allowed.
  ///
  /// All numbers are below 128, so that every type of number has them.
  private static func value(_ property: PropertySchema, _ number: Int, of count: Int) -> Value {
    if number % 5 == 4 { return .null }
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

  /// The content that a store with a model must show.
  ///
  /// Elements that have their UID in the same place keep their content; everything else is null or
  /// empty.
  func expected(in model: Model) -> StoredContent {
    var result = StoredContent()
    for entity in model.entities {
      var all: [UInt64: [UID: Value]] = [:]
      for (id, values) in content.objects[entity.pair.uid] ?? [:] {
        var kept: [UID: Value] = [:]
        for property in entity.properties where !property.flags.contains(.id) {
          kept[property.pair.uid] = values[property.pair.uid] ?? .null
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
