internal import BoxReport

/// The amount of data in a store that a change affects.
public struct DataCounts: Hashable, Sendable {
  /// The unit of a count.
  public enum Unit: String, Hashable, Sendable {
    case objects, values, links
    case objectsWithoutValue = "objects without a value"
  }

  /// The number of objects, values or links that the change affects.
  public var affected: Int
  /// The unit of ``affected``.
  public var unit: Unit
  /// The number of values that would have a duplicate under a new unique constraint.
  public var duplicates: Int?
  /// The number of values that do not fit a new type.
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
