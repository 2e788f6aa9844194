/// Whether two names are likely to be of one thing.
///
/// They are if they are equal but for case and underscores, if one begins or ends with the other, if
/// half of the words of the one with more are words of the other, or if most of their letters stand
/// at the same ends.
///
/// - Complexity: O(*n*) in the lengths of the names.
func areSimilarNames(_ first: String, _ second: String) -> Bool {
  let a = letters(first)
  let b = letters(second)
  if a == b { return true }
  guard let shorter = [a, b].min(by: { $0.count < $1.count }), shorter.count >= 2 else {
    return false
  }
  let longer = shorter == a ? b : a
  if shorter.count >= 3,
    longer.starts(with: shorter) || longer.suffix(shorter.count) == shorter[...]
  {
    return true
  }
  let head = zip(a, b).prefix { $0 == $1 }.count
  let tail = zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
  // More than half, so that `startDate` and `birthDate` are two.
  if min(head + tail, shorter.count) * 5 > longer.count * 3 { return true }
  let words = (Set(splitWords(first)), Set(splitWords(second)))
  let common = words.0.intersection(words.1).filter { $0.count > 2 }.count
  return common * 2 > max(words.0.count, words.1.count)
}

private func letters(_ name: String) -> [UInt8] { name.lowercased().utf8.filter { $0 != 0x5F } }

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
