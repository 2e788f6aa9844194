/// A number that is computed of the objects of a query, or of a group of them.
package enum QueryAggregate: Hashable, Sendable {
  /// The number of objects.
  case count
  /// A number of the values of a property.
  case of(Function, String)

  /// A number of values; null is not a value.
  package enum Function: String, Hashable, Sendable, CaseIterable {
    case sum, min, max, avg
  }

  /// The path of the property; nil for the number of objects.
  package var path: String? {
    if case .of(_, let path) = self { path } else { nil }
  }

  /// Whether values are added up for it.
  var isArithmetic: Bool {
    switch self {
    case .of(.sum, _), .of(.avg, _): true
    case .of(.min, _), .of(.max, _), .count: false
    }
  }
}

extension QueryAggregate: CustomStringConvertible {
  /// The name of its column: `count` or `sum(price)`.
  package var description: String {
    switch self {
    case .count: "count"
    case .of(let function, let path): "\(function.rawValue)(\(path))"
    }
  }
}
