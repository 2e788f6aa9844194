/// The candidate that a misspelled name most likely means, or nil if none is close.
///
/// Close means: at most a third of the letters differ, a swap of neighbours being one difference.
///
/// - Complexity: O(*n* · *m*) for each candidate, in the lengths of the words.
package func nearestName(to word: String, among candidates: [String]) -> String? {
  candidates
    .map { (name: $0, distance: editDistance(word.lowercased(), $0.lowercased())) }
    .filter { $0.distance <= max(1, $0.name.count / 3) }
    .min { $0.distance < $1.distance }?.name
}

/// The file that a misspelled name most likely means, or nil if none is close.
///
/// An ending such as `.json`, which most files share, counts for nothing: at most a third of the letters
/// in front of it differ, of three or more.
///
/// - Complexity: As ``nearestName(to:among:)``.
package func nearestFileName(to word: String, among names: [String]) -> String? {
  var nearest: (name: String, distance: Int)?
  for name in names {
    let stem = name.prefix { $0 != "." }.count
    let distance = stem < 3 ? Int.max : editDistance(word, name)
    if distance <= stem / 3, distance < nearest?.distance ?? Int.max { nearest = (name, distance) }
  }
  return nearest?.name
}

/// The number of letters to insert, remove, replace or swap with their neighbour to turn one word
/// into another.
///
/// - Complexity: O(*n* · *m*) in the lengths of the words.
package func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first)
  let b = Array(second)
  var beforePrevious: [Int] = []
  var previous = Array(0...b.count)
  for i in a.indices {
    var current = [i + 1]
    for j in b.indices {
      var best = min(previous[j + 1] + 1, current[j] + 1)
      best = min(best, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, beforePrevious[j - 1] + 1)
      }
      current.append(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.count]
}
