internal import BoxHash
internal import BoxJSON

extension Finding {
  /// A hash that stays the same when the finding moves to another line or its wording changes.
  ///
  /// It is over the rule, the file, and the source line without blanks at its ends, so two findings
  /// of a rule on equal lines of a file have the same one. Of a long line the part around the finding
  /// counts.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  var fingerprint: Fingerprint {
    var result = Fingerprint()
    result.combine(rule.id)
    result.combine(path)
    result.combine((sourceLine?.text ?? "").trimmingBlanks)
    return result
  }
}

extension String {
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
  }

  fileprivate var trimmingBlanks: Substring {
    let tail = unicodeScalars.drop(while: Self.isBlank)
    let end = tail.lastIndex { !Self.isBlank($0) }.map { tail.index(after: $0) }
    return Substring(tail[..<(end ?? tail.startIndex)])
  }
}
