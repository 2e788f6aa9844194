import BoxJSON
import BoxReport

/// Names are unique among their neighbours; generators compare them without regard to case.
extension ModelChecker {
  mutating func checkNames() {
    checkNames(
      model.entities.enumerated().map { (.entity($0), $1.name) }, ModelRule.duplicateEntityName)
    for (e, entity) in model.entities.enumerated() {
      checkNames(
        entity.properties.enumerated().map { (.property(entity: e, $0), $1.name) },
        ModelRule.duplicatePropertyName)
      checkNames(
        (entity.relations ?? []).enumerated().map { (.relation(entity: e, $0), $1.name) },
        ModelRule.duplicateRelationName)
    }
  }

  private mutating func checkNames(_ names: [(ElementPlace, String)], _ rule: Rule) {
    var first: [ExactText: (ElementPlace, String)] = [:]
    first.reserveCapacity(names.count)
    for (place, name) in names {
      if name.isEmpty {
        report(
          ModelRule.emptyName, at: range(place, .name), "this \(place.kind) has an empty name",
          advice: "restore the name from version control")
        continue
      }
      let folded = foldedName(name)
      if let other = first[folded] {
        let asWritten =
          if other.1.hasSameBytes(as: name) { "" } else if other.1 == name {
            ", \(codePoints(of: other.1, notIn: name))"
          } else { ", written \(other.1)" }
        report(
          rule, at: range(place, .name),
          "\(model.label(place)) is the name of two \(place.kind.plural)\(asWritten)",
          advice: "where two branches added the same \(place.kind), keep one and retire the UID "
            + "of the other: `boxjoint resolve` does it for a merge that is going on")
      } else {
        first[folded] = (place, name)
      }
    }
    checkLookalikes(names)
  }

  /// Adds the issues of names with other bytes that look the same.
  private mutating func checkLookalikes(_ names: [(ElementPlace, String)]) {
    if names.allSatisfy({ $0.1.utf8.allSatisfy { $0 < 0x80 } }) { return }
    // By canonical equivalence: here the look of a text is what is meant.
    var looks: [String: String] = [:]
    for (place, name) in names {
      let folded = foldedName(name)
      guard let other = looks.updateValue(name, forKey: folded.text), foldedName(other) != folded
      else { continue }
      report(
        ModelRule.similarNames, at: range(place, .name),
        "\(model.label(place)) looks like the name of another \(place.kind), whose accents are "
          + "written in another way, \(codePoints(of: other, notIn: name))",
        advice: "if they mean the same, keep one and retire the UID of the other; else rename one")
    }
  }
}

/// The difference of two names that look the same: `with U+212A where this one has U+004B`.
///
/// - Complexity: O(*n*) in the length of the names.
private func codePoints(of other: String, notIn name: String) -> String {
  var (others, own) = (Array(other.unicodeScalars)[...], Array(name.unicodeScalars)[...])
  // One character of each has to be left: an empty text has no code point to compare.
  while let first = others.first, first == own.first, min(others.count, own.count) > 1 {
    others.removeFirst()
    own.removeFirst()
  }
  while let last = others.last, last == own.last, min(others.count, own.count) > 1 {
    others.removeLast()
    own.removeLast()
  }
  func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    let shown = scalars.prefix(8).map { "U+" + $0.value.hexadecimal(digits: 4, uppercase: true) }
      .joined(separator: " ")
    return scalars.count > 8 ? shown + " …" : shown
  }
  return "with \(text(others)) where this one has \(text(own))"
}
