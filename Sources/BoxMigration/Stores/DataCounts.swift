/// What a change meets in the data of a store.
public struct DataCounts: Hashable, Sendable {
  /// How many objects, values or links are concerned.
  public var affected: Int
  /// What is counted, such as `objects`.
  public var unit: String
  /// How many values would have a duplicate under a new unique constraint.
  public var duplicates: Int?
  /// How many values a new type does not hold.
  public var unfit: Int?

  /// Creates counts.
  public init(affected: Int, unit: String, duplicates: Int? = nil, unfit: Int? = nil) {
    self.affected = affected
    self.unit = unit
    self.duplicates = duplicates
    self.unfit = unfit
  }
}
