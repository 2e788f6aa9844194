public import BoxModel
internal import BoxStorage

/// The numbers of known, unknown and malformed stored values of a converted property.
public struct ConverterScan: Hashable, Sendable {
  /// A value that is unknown or malformed.
  public struct Example: Hashable, Sendable {
    /// The stored value.
    public let value: Value
    /// The kind of the error: unknown or malformed.
    public let kind: ConversionError.Kind
    /// The expected values.
    public let expected: String
    /// The number of objects that have the value.
    public internal(set) var count: Int
    /// The id of the first object that has the value.
    public let id: UInt64
  }

  /// The name of the entity.
  public let entity: String
  /// The name of the property.
  public let property: String
  /// Values that the converter knows.
  public private(set) var known = 0
  /// Objects that lack the property.
  public private(set) var missing = 0
  /// Values of the right form that are not known ones.
  public private(set) var unknown = 0
  /// Values that have not the right form.
  public private(set) var malformed = 0
  /// Values that do not have the right form.
  public private(set) var examples: [Example] = []

  init(entity: String, property: String) {
    self.entity = entity
    self.property = property
  }

  mutating func record(_ value: Value, _ id: UInt64, _ converter: some JSONConverter, limit: Int) {
    if case .null = value {
      missing += 1
      return
    }
    guard let problem = converter.problem(value) else {
      known += 1
      return
    }
    if problem.kind == .unknown { unknown += 1 } else { malformed += 1 }
    if let place = examples.firstIndex(where: { $0.value.isIdentical(to: value) }) {
      examples[place].count += 1
    } else if examples.count < limit {
      examples.append(
        Example(
          value: value, kind: problem.kind, expected: problem.expected, count: 1, id: id))
    }
  }
}

extension ObjectStore {
  /// Scans every stored value of the properties that a catalogue converts.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue; entities and properties that the store lacks are skipped.
  ///   - examples: The number of different values that are given as examples for each property.
  ///   - progress: Called with the entity, the number of objects read so far, and their total.
  /// - Returns: A result for each property, in the order of the catalogue.
  /// - Throws: ``StoreError/incompatibleConverter(_:)``, and as ``read(_:)``.
  /// - Complexity: O(*n* *m*) in the number of objects and of converted properties.
  public func scan(
    _ catalogue: some ConverterSource, examples: Int = 5,
    progress: (_ entity: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws(StoreError) -> [ConverterScan] {
    var scans: [ConverterScan] = []
    var places: [Int: [ScanPlace]] = [:]
    for binding in catalogue.bindings {
      guard
        let position = entities.firstIndex(where: {
          foldedName($0.name) == foldedName(binding.entity)
        }),
        let property = entities[position].properties.first(where: {
          foldedName($0.name) == foldedName(binding.property)
        }),
        let converter = try catalogue.converter(of: property, binding)
      else { continue }
      places[position, default: []].append(
        ScanPlace(
          scan: scans.count, slot: property.slot, type: property.type, converter: converter))
      scans.append(ConverterScan(entity: entities[position].name, property: property.name))
    }
    try reading { (transaction) throws(StoreError) in
      for (position, entity) in entities.enumerated() {
        guard let places = places[position] else { continue }
        let total = try transaction.count(entity)
        var done = 0
        try transaction.visitRecords(entity) { id, record in
          for place in places {
            let value = record.value(place.slot, place.type)
            scans[place.scan].record(value, id, place.converter, limit: examples)
          }
          done += 1
          if done % 1024 == 0 { progress(entity.name, done, total) }
          return .next
        }
        progress(entity.name, done, total)
      }
    }
    return scans
  }
}

extension ConverterSource {
  fileprivate func converter(
    of property: PropertySchema, _ binding: Binding
  ) throws(StoreError) -> Converter? {
    do throws(IncompatibleConverter) {
      return try converter(
        entity: binding.entity, property: binding.property, type: property.modelType,
        flags: property.flags)
    } catch {
      throw .incompatibleConverter(error)
    }
  }
}

/// A property that is scanned.
private struct ScanPlace {
  var scan: Int
  var slot: Int
  var type: SlotType
  var converter: any JSONConverter
}
