internal import BoxReport

/// What a change meets in the data of a store.
public struct DataCounts: Hashable, Sendable {
  /// What is counted.
  public enum Unit: String, Hashable, Sendable {
    case objects, values, links
    case objectsWithoutValue = "objects without a value"
  }

  /// How many objects, values or links are concerned.
  public var affected: Int
  /// What is counted.
  public var unit: Unit
  /// How many values would have a duplicate under a new unique constraint.
  public var duplicates: Int?
  /// How many values a new type does not hold.
  public var unfit: Int?

  /// Creates counts.
  public init(affected: Int, unit: Unit, duplicates: Int? = nil, unfit: Int? = nil) {
    self.affected = affected
    self.unit = unit
    self.duplicates = duplicates
    self.unfit = unfit
  }
}

extension DataCounts.Unit {
  /// A number of them, such as `1 value`.
  func words(_ number: Int) -> String {
    switch self {
    case .objects: counted(number, "object")
    case .values: counted(number, "value")
    case .links: counted(number, "link")
    case .objectsWithoutValue: counted(number, "object") + " without a value"
    }
  }
}
