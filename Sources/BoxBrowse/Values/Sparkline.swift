internal import BoxModel
internal import BoxStoreTool

/// The line of the numbers of a vector, from left to right, between the smallest and the largest of them.
struct Sparkline {
  private static let width = 96.0
  private static let height = 16.0
  /// The largest number of points; of a longer vector each is the mean of a part.
  private static let maximumPoints = 33

  /// The path in a box of 96 by 16, in whole numbers.
  let path: String

  /// Draws numbers; nil if fewer than two of them are finite.
  ///
  /// - Complexity: O(*n*).
  init?(_ numbers: [Double]) {
    var points: [(place: Double, value: Double)] = []
    let count = min(numbers.count, Self.maximumPoints)
    for part in 0..<count {
      let places = part * numbers.count / count..<(part + 1) * numbers.count / count
      let finite = numbers[places].filter(\.isFinite)
      if finite.isEmpty { continue }
      let mean = finite.reduce(0) { $0 + $1 / Double(finite.count) }
      points.append((Double(part) / Double(max(1, count - 1)), mean))
    }
    guard points.count > 1, let lowest = points.map(\.value).min(),
      let highest = points.map(\.value).max()
    else { return nil }
    // Halves, as the difference of two finite numbers need not be one.
    let range = highest / 2 - lowest / 2
    path = points.enumerated().map { index, point in
      let share = range > 0 ? (point.value / 2 - lowest / 2) / range : 0.5
      let x = Int((point.place * Self.width).rounded())
      let y = Int((Self.height - 1 - share * (Self.height - 2)).rounded())
      return "\(index == 0 ? "M" : "L")\(x) \(y)"
    }.joined()
  }

  /// Draws a vector of floats with more than a few numbers; nil for any other value.
  init?(_ value: Value, longerThan few: Int) {
    switch value {
    case .floats(let numbers) where numbers.count > few: self.init(numbers.map { Double($0) })
    case .doubles(let numbers) where numbers.count > few: self.init(numbers)
    default: return nil
    }
  }

  /// The picture, which says nothing that is not in the numbers.
  var html: HTMLText {
    """
    <svg class="spark" width="96" height="16" viewBox="0 0 96 16" aria-hidden="true"><path d="\(path)"/></svg>
    """
  }
}
