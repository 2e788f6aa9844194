internal import BoxConvert
internal import BoxModel
internal import BoxSources
internal import BoxSystem
package import BoxWorkspace

/// The files of a target: its sources, and what is generated from them.
package struct TargetLayout: Hashable, Sendable {
  /// The name of the target.
  package var target: String
  /// The directories and files of its sources.
  package var roots: [String]
  /// The directories and files that are left out.
  package var excluded: [String]
  /// The file with the bindings.
  package var output: String
  /// The model file.
  package var model: String
  /// The catalogue of stored enums.
  var catalogue: String
  /// The lock of the catalogue.
  var lock: String { ConverterLock.path(beside: catalogue) }

  /// The file of rules for removals.
  var rules: String { Declarations.path(beside: model) }

  /// The directory of the versions that are kept, with the list of them and their model files.
  var versions: String {
    PathArithmetic.join(parentDirectory(of: model), "Versions/\(target)")
  }
  /// The directory of the versions that are kept of a model file under its usual name; nil for another name.
  static func versions(ofModel path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasPrefix("model-"), name.hasSuffix(".json") else { return nil }
    return PathArithmetic.join(
      parentDirectory(of: path), "Versions/\(name.dropFirst(6).dropLast(5))")
  }
  /// The Swift file with the versions that are kept.
  var versionsOutput: String {
    PathArithmetic.join(parentDirectory(of: output), "Versions-\(target).generated.swift")
  }

  /// Finds what is not named.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if there is no target, or several.
  package init(
    target: String?, sources: [String], excluded: [String], output: String?, model: String?,
    catalogue: String?
  ) throws(CommandFailure) {
    if let first = sources.first {
      roots = sources
      let last = PathArithmetic.join("/", joinPath(workingDirectory(), first)).split(
        separator: "/"
      )
      .last
      var name = last.map(String.init) ?? "App"
      if name.hasSuffix(".swift") { name = String(name.dropLast(6)) }
      self.target = target ?? name
    } else {
      (self.target, roots) = try Self.find(target)
    }
    self.excluded = excluded
    let directory = isDirectory(at: roots[0]) ? roots[0] : parentDirectory(of: roots[0])
    self.output =
      output
      ?? PathArithmetic.join(directory, "generated/EntityInfo-\(self.target).generated.swift")
    self.model = model ?? "model-\(self.target).json"
    self.catalogue =
      catalogue
      ?? PathArithmetic.join(parentDirectory(of: self.model), "converters-\(self.target).yml")
  }

  private static func find(
    _ target: String?
  ) throws(CommandFailure) -> (target: String, roots: [String]) {
    let names = directories(in: "Sources")
    if let target {
      for path in ["Sources/\(target)", target] where isDirectory(at: path) {
        return (target, [path])
      }
      throw CommandFailure(
        .usage,
        "there is no directory Sources/\(target); name the directory of the target by --sources")
    }
    if names.count == 1 { return (names[0], ["Sources/\(names[0])"]) }
    if names.count > 1 {
      throw CommandFailure(
        .usage,
        "the package has several targets; name one by --target: "
          + names.joined(separator: ", "))
    }
    if isDirectory(at: "Sources") { return (workingName(), ["Sources"]) }
    return (workingName(), ["."])
  }

  private static func workingName() -> String {
    workingDirectory().split(separator: "/").last.map(String.init) ?? "App"
  }

  private static func directories(in path: String) -> [String] {
    ((try? entryNames(in: path)) ?? [])
      .filter { !$0.hasPrefix(".") && isDirectory(at: "\(path)/\($0)") }.sorted()
  }
}
