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

extension VectorForm {
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
