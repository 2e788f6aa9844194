internal import BoxModel

/// The error of the sums by which a graph compares vectors.
///
/// A sum of products in single precision, of which at most *m* roundings meet each product, is off by at most
/// *m u* times the sum of the absolute products, with *u* of 2⁻²⁴ (Higham, Accuracy and Stability of Numerical
/// Algorithms, 3.1).
struct SumRounding {
  /// The error in parts of the distance.
  var relative = 0.0
  /// The error in any case.
  var absolute = 0.0
  /// The error of the root of the distance.
  var ofRoot = 0.0

  /// The greatest distance that a sum gives to a vector that is as near as one to which it gave another.
  func greatest(asNearAs distance: Float) -> Float {
    var greatest = Double(distance)
    if ofRoot > 0 {
      let root = max(0, greatest).squareRoot() * (1 + relative) + 2 * ofRoot
      greatest = root * root
    }
    // (1 + e) / (1 - e), for the small errors there are.
    greatest += 3 * relative * abs(greatest) + 2 * absolute
    return Float(greatest).nextUp
  }
}

extension VectorGraph {
  /// Whether the sums in single precision tell the nodes apart that a search kept.
  ///
  /// Links between vectors that it cannot distinguish do not find the nearest ones either. The errors of sums
  /// add up at random: a quarter of their bound is more than there is in practice.
  ///
  /// - Parameters:
  ///   - nodes: The nodes, the nearest first.
  ///   - square: The sum of the squares of the elements of the vector that was searched.
  /// - Returns: Whether they are apart.
  func distinguishes(_ nodes: [RankedNode], _ square: Double) -> Bool {
    guard form.isProduct, let first = nodes.first, let last = nodes.last else { return true }
    let error = form.rounding(square.squareRoot() * table.longest).absolute / 4
    return Double(last.distance) - Double(first.distance) > error
  }
}

extension GraphForm {
  /// Whether a search in a graph finds most of the nearest.
  ///
  /// On a line each vector has two neighbors, and a link over a gap is lost with one of them. With products
  /// of few numbers only the vectors on the rim are near to anything, and most links go to them: of three
  /// numbers a search found 0.77 to 0.84 of the nearest, and of eight 0.95.
  var isSearchable: Bool {
    switch distance {
    case .dotProduct, .dotProductNonNormalized: dimensions >= 8
    case .euclidean, .cosine, .geo: dimensions >= 2
    }
  }

  /// The error of the sums, where the product of the lengths of the two vectors is at most a number.
  func rounding(_ lengths: Double) -> SumRounding {
    // The kernels have four sums of eight lanes each, so a 32nd of all elements meets in one, and they have an
    // addition for every eighth of the last elements, five to join the sums, and three for the product. Twice
    // as many cover the sums of double precision, and the rounding of what the form divided by its length.
    let error = Double(width / 16 + 24) * 0x1p-24
    // Products that are too small for single precision are lost.
    let lost = Double(width) * 0x1p-149
    switch distance {
    case .euclidean: return SumRounding(relative: error, absolute: lost)
    case .cosine: return SumRounding(absolute: error)
    case .dotProduct, .dotProductNonNormalized:
      return SumRounding(absolute: error * lengths + lost)
    case .geo:
      // Each of three coordinates of two places is off by 2⁻²⁵ at most.
      return SumRounding(relative: error, absolute: lost, ofRoot: 0x1p-23)
    }
  }
}
