internal import BoxJSON

/// The origin of a value of the configuration, in descending precedence.
enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line, such as `--published`.
  case option(String)
  /// An environment variable.
  case environment(String)
  /// A place in a configuration file.
  case file(path: String, position: JSONPosition)
  /// Git's configuration; the text is git's own, such as `file:.git/config`.
  case git(key: String, origin: String)
  /// The default.
  case `default`

  /// The description of the origin, in messages and in `boxjoint config`.
  var description: String {
    switch self {
    case .option(let name): "option \(name)"
    case .environment(let name): "environment variable \(name)"
    case .file(let path, let position): "\(path):\(position.line):\(position.column)"
    case .git(let key, let origin): "git config \(key) (\(origin))"
    case .default: "default"
    }
  }

  /// A word for the kind of origin, the same in every version.
  var kind: String {
    switch self {
    case .option: "option"
    case .environment: "environment"
    case .file: "file"
    case .git: "git"
    case .default: "default"
    }
  }
}

/// A list of the configuration, all of it from the strongest origin that names it.
package struct Setting: Hashable, Sendable {
  /// An element of the list and its origin.
  package struct Entry: Hashable, Sendable {
    package var text: String
    var origin: SettingOrigin
  }

  package var entries: [Entry]
  /// Whether the setting has its default.
  var isDefault: Bool

  var texts: [String] { entries.map(\.text) }

  /// The default of a setting.
  package static func `default`(_ texts: [String]) -> Setting {
    Setting(entries: texts.map { Entry(text: $0, origin: .default) }, isDefault: true)
  }
}

/// A setting of the user.
package enum SettingKey: String, Hashable, Sendable, CaseIterable {
  /// The refs and patterns of tags whose ids count as published, in order.
  case published
  /// The patterns of the model files.
  case files
  /// The number of earlier versions of a side that are read if both sides changed a field; 0 for
  /// none.
  case historyLimit = "merge.history-limit"
  /// The ids of the rules that `check` ignores.
  case ignoredRules = "check.ignore"
  /// The classes of changes that block a plan.
  case planFailOn = "plan.fail-on"
  /// The changes that a plan ignores, by rule, entity and property.
  case planIgnored = "plan.ignore"
  /// Severities of changes, by rule, entity and property.
  case planSeverities = "plan.severity"

  /// The key in git's configuration.
  var gitKey: String {
    switch self {
    case .published: "boxjoint.published"
    case .files: "boxjoint.files"
    case .historyLimit: "boxjoint.mergeHistoryLimit"
    case .ignoredRules: "boxjoint.checkIgnore"
    case .planFailOn: "boxjoint.planFailOn"
    case .planIgnored: "boxjoint.planIgnore"
    case .planSeverities: "boxjoint.planSeverity"
    }
  }

  /// The environment variable, which holds words with white space between them.
  var environmentVariable: String {
    switch self {
    case .published: "BOXJOINT_PUBLISHED"
    case .files: "BOXJOINT_FILES"
    case .historyLimit: "BOXJOINT_MERGE_HISTORY_LIMIT"
    case .ignoredRules: "BOXJOINT_CHECK_IGNORE"
    case .planFailOn: "BOXJOINT_PLAN_FAIL_ON"
    case .planIgnored: "BOXJOINT_PLAN_IGNORE"
    case .planSeverities: "BOXJOINT_PLAN_SEVERITY"
    }
  }

  /// The default.
  package var `default`: Setting {
    switch self {
    case .published:
      // In full, since a tag may have the short name of a branch, and git takes that first.
      .default(PublishedReferences.standardNames)
    case .files: .default(FilePattern.standard.map(\.text))
    case .historyLimit: .default(["200"])
    case .ignoredRules, .planIgnored, .planSeverities: .default([])
    case .planFailOn: .default(PlanSettings.standardClasses)
    }
  }

  /// The problem with an element, in one sentence without a period; nil if the element is valid.
  package func problem(of text: String) -> String? {
    switch self {
    case .published:
      if text.isEmpty { return "the name of a ref is empty" }
      if text.hasPrefix("-") { return "the name of a ref cannot start with '-'" }
      if text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
        return "the name of a ref cannot contain spaces or control characters"
      }
      return nil
    case .files: return FilePattern.problem(of: text)
    case .historyLimit:
      return Int(text).map { (0...100_000).contains($0) } ?? false
        ? nil : "'\(text)' is not a number of versions from 0 to 100000"
    case .ignoredRules:
      let isWord = text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-")
      }
      return text.isEmpty || !isWord ? "'\(text)' is not the id of a rule, such as BOX101" : nil
    case .planFailOn: return PlanSettings.problem(ofClass: text)
    case .planIgnored: return PlanSettings.problem(ofSelector: text)
    case .planSeverities: return PlanSettings.problem(ofSeverity: text)
    }
  }
}
