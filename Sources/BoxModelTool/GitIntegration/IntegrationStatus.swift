/// The configuration of git for the tool, and its effect on the files of a repository.
package struct IntegrationStatus: Hashable, Sendable {
  /// A tracked file that matches a pattern or has an attribute of the tool.
  package struct File: Hashable, Sendable {
    /// The path from the top of the repository.
    package var path: String
    package var merge: GitAttributeValue
    package var diff: GitAttributeValue
    /// Whether it is a file of our own that is merged by key, and not a model.
    var isKeyed = false
    /// Whether the tool merges the file by UID.
    var mergesByUID: Bool
    /// Whether the tool merges the file by key.
    var mergesByKey = false
    /// Whether differences of the file are shown readably.
    var showsReadably: Bool
  }

  /// A problem, with its remedy.
  package struct Problem: Hashable, Sendable {
    /// A name that stays the same when the wording changes.
    package var id: String
    /// One sentence without a period.
    package var message: String
    /// The remedy, in one sentence without a period.
    var remedy: String
    /// The file that it is about; nil for all.
    package var path: String?
  }

  /// A hook that git runs and that calls the tool.
  package struct Hook: Hashable, Sendable {
    package var name: GitHook
    /// The path of its file.
    package var path: String
  }

  /// The state of the program that a driver line starts.
  package enum Program: Hashable, Sendable {
    /// The driver line is not one that this version writes.
    case unknown
    case missing(String)
    /// The program exists, and fails.
    case broken(String)
    case works(String)

    /// Whether it runs, or is one that cannot be judged.
    var mayWork: Bool {
      switch self {
      case .missing, .broken: false
      case .unknown, .works: true
      }
    }
  }

  /// The version of git; nil if git does not print it.
  var gitVersion: GitVersion?
  /// The value of `merge.boxjoint.driver`.
  package var driver: GitConfigurationValue?
  /// The value of `diff.boxjoint.textconv`.
  package var textconv: GitConfigurationValue?
  package var program: Program?
  /// The state of the program that the line for the readable diff starts.
  var textconvProgram: Program?
  /// The files with the block of attributes, by scope.
  var attributeFiles: [IntegrationScope: String]
  /// The model files and those that are merged by key, in the order of their paths.
  package var files: [File]
  package var problems: [Problem]
  /// The hooks that call the tool; nil without a work tree, for which git runs none.
  package var hooks: [Hook]?
  /// The refs whose ids count as published; nil outside of a repository.
  package var published: PublishedReferences?
  /// Whether the files of a repository were looked at.
  var looksAtFiles = true

  /// Whether anything of the tool is in git.
  var isInstalled: Bool { driver != nil || textconv != nil || !attributeFiles.isEmpty }
}
