internal import BoxModel

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

extension QueryAggregate {
  /// The name of a column that an order names, such as ``sum(`list price`)``.
  static func title(_ text: String) -> String {
    for function in Function.allCases where text.hasPrefix("\(function)(") && text.hasSuffix(")") {
      let path = String(text.dropFirst(function.rawValue.count + 1).dropLast())
      return "\(function)(\(NamePath(reading: path).title))"
    }
    return NamePath(reading: text).title
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
