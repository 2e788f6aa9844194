import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport

/// A store with a few objects of every entity of a model.
struct PlanStore {
  let directory: TemporaryDirectory
  var path: String { directory.path(of: "store") }

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - document: The model.
  ///   - objects: The number of objects of each entity.
  /// - Throws: The errors of the engine.
  init(_ document: ModelDocument, objects: Int = 3) throws {
    directory = try TemporaryDirectory()
    let store = try ObjectStore.open(.directory(path), model: document)
    try store.write { transaction in
      for entity in store.entities {
        for number in 0..<objects {
          var object = DynamicObject(entity)
          for (position, property) in entity.properties.enumerated()
          where position != entity.idPosition {
            object.values[position] = Self.value(property.type, number)
          }
          try transaction.put(object)
        }
      }
    }
  }

  /// A value of a type, another one for each number.
  static func value(_ type: SlotType, _ number: Int) -> Value {
    switch type {
    case .bool: .bool(number % 2 == 1)
    case .int8, .int16, .int32, .int64: .integer(Int64(number) + 1)
    case .uint8, .uint16, .uint32, .uint64: .unsigned(UInt64(number) + 1)
    case .float: .float(Float(number))
    case .double: .double(Double(number) + 0.5)
    case .string: .string("text \(number)")
    case .bytes: .bytes([UInt8(number)])
    default: .null
    }
  }

  /// The result of opening it with a model: the rules that refuse it, or those that warn.
  struct Opening {
    var refusals: Set<String> = []
    var warnings: Set<String> = []
    var isInvalid = false
  }

  func open(_ document: ModelDocument) throws -> Opening {
    var opening = Opening()
    do throws(any Error) {
      let store = try ObjectStore.open(.directory(path), model: document)
      opening.warnings = Set(store.warnings.map(\.rule.id))
    } catch StoreError.incompatibleModel(let findings) {
      opening.refusals = Set(findings.map(\.rule.id))
    } catch StoreError.invalidModel {
      opening.isInvalid = true
    }
    return opening
  }
}
