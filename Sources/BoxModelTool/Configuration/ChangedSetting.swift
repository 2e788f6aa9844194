internal import BoxJSON
package import BoxReport

/// A setting that a change under review alters; its earlier value stays in force.
package struct ChangedSetting: Hashable, Sendable {
  /// The finding about it, for reports.
  package var finding: Finding

  /// Compares the settings of a base with the work tree.
  ///
  /// - Parameters:
  ///   - base: The file of the base, if any.
  ///   - revision: The name of the base, as the user gave it.
  ///   - path: The file of the work tree, if any.
  /// - Returns: The differences, by setting.
  /// - Complexity: O(*n*) in the size of both files.
  package static func all(
    from base: ConfigurationFile?, in revision: String, to path: String?
  ) -> [ChangedSetting] {
    let head: ConfigurationFile?
    do throws(CommandFailure) {
      head = try path.map { (path) throws(CommandFailure) in
        try ReviewBase.requireInside(path)
        return try ConfigurationFile.read(reviewed: path)
      }
    } catch {
      let region = error.position.map { Self.region(at: $0) }
      return [
        ChangedSetting(
          finding: Finding(
            rule: ReviewRule.settingsUnreadable,
            message: "the settings of the change cannot be read: \(error.message)",
            advice: "the settings of \(revision) count", path: path ?? "", region: region))
      ]
    }
    let shown = path ?? base?.path ?? ConfigurationFile.name
    return consent(head, path: shown)
      + SettingKey.allCases.compactMap { key in
        let (before, after) = (base?.settings[key], head?.settings[key])
        if before?.texts == after?.texts { return nil }
        return ChangedSetting(
          finding: Finding(
            rule: ReviewRule.settingsChanged,
            message: "the change sets '\(key.rawValue)' to \(words(after)), where \(revision) has "
              + "\(words(before))",
            advice: "the settings of \(revision) count; merge a change of settings by itself",
            path: shown, region: region(of: after)))
      }
  }

  /// The finding about a change that tries to decide which consent a user asks for.
  private static func consent(_ head: ConfigurationFile?, path: String) -> [ChangedSetting] {
    guard let place = head?.consentPosition else { return [] }
    return [
      ChangedSetting(
        finding: Finding(
          rule: ReviewRule.settingsChanged,
          message: "the change sets '\(ConsentPolicy.key)', which a repository cannot set",
          advice: "take it out: \(ConsentPolicy.refusal)", path: path,
          region: region(at: place)))
    ]
  }

  /// The first elements of a list; a stranger may write a long one.
  private static func words(_ setting: Setting?) -> String {
    guard let setting else { return "nothing" }
    let shown = setting.texts.prefix(5).map { $0.count > 60 ? $0.prefix(60) + "…" : $0 }
    let rest = setting.texts.count - shown.count
    return "[\(shown.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")]"
  }

  private static func region(of setting: Setting?) -> SourceRegion? {
    guard let entry = setting?.entries.first, case .file(_, let place) = entry.origin else {
      return nil
    }
    return region(at: place)
  }

  private static func region(at place: JSONPosition) -> SourceRegion {
    SourceRegion(
      line: place.line, column: place.column, endLine: place.line, endColumn: place.column)
  }
}
