/// Whether two names are likely to be of one thing.
///
/// They are if they are equal but for case and underscores, if one begins or ends with the other, if
/// half of the words of the one with more are words of the other, or if they share most letters at their
/// beginnings or ends.
///
/// - Complexity: O(*n*) in the lengths of the names.
func areSimilarNames(_ first: String, _ second: String) -> Bool {
  NameShape(first).isSimilar(to: NameShape(second))
}

/// A name as ``areSimilarNames(_:_:)`` looks at it, so that many are compared with little work.
struct NameShape {
  private let letters: [UInt8]
  private let words: Set<String>

  init(_ name: String) {
    letters = name.lowercased().utf8.filter { $0 != 0x5F }
    words = Set(splitWords(name))
  }

  func isSimilar(to other: NameShape) -> Bool {
    let (a, b) = (letters, other.letters)
    if a == b { return true }
    let (shorter, longer) = b.count < a.count ? (b, a) : (a, b)
    guard shorter.count >= 2 else { return false }
    if shorter.count >= 3,
      longer.starts(with: shorter) || longer.suffix(shorter.count) == shorter[...]
    {
      return true
    }
    let head = zip(a, b).prefix { $0 == $1 }.count
    let tail = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
    // More than half, so that `startDate` and `birthDate` are two.
    if min(head + tail, shorter.count) * 5 > longer.count * 3 { return true }
    let common = words.intersection(other.words).filter { $0.count > 2 }.count
    return common * 2 > max(words.count, other.words.count)
  }
}

/// The words of a name in camel case or with underscores, in small letters.
private func splitWords(_ name: String) -> [String] {
  var words: [String] = []
  var word = ""
  var wasUpper = false
  for scalar in name.unicodeScalars {
    let isUpper = scalar.properties.isUppercase
    if scalar == "_" || (isUpper && !wasUpper) {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    if scalar != "_" { word.unicodeScalars.append(scalar) }
    wasUpper = isUpper
  }
  if !word.isEmpty { words.append(word.lowercased()) }
  return words
}
